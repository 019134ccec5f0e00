import { useState } from 'react'
import { serverNow } from '../api/server-clock.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { useFirstFocus } from '../ui/use-first-focus.ts'
import { actionMessages } from './action-messages.ts'
import { fromLocalInput, toLocalInput } from './snooze-times.ts'

interface Props {
  readonly onClose: () => void
  readonly onChoose: (until: number) => void
}

const DAY_MS = 86_400_000

export function SnoozeDialog({ onClose, onChoose }: Props) {
  const t = useMessages(actionMessages)
  const [value, setValue] = useState(() => toLocalInput(serverNow() + DAY_MS))
  const [isPast, setIsPast] = useState(false)
  const submit = (): void => {
    const until = fromLocalInput(value, serverNow())
    if (until === null) setIsPast(true)
    else onChoose(until)
  }
  return (
    <Dialog
      isOpen
      isNarrow
      onClose={onClose}
      title={t('customTitle')}
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button look="primary" writes onClick={submit}>
            {t('snooze')}
          </Button>
        </>
      }
    >
      <TextField
        ref={useFirstFocus()}
        type="datetime-local"
        label={t('customLabel')}
        value={value}
        error={isPast ? t('customPast') : null}
        onChange={(event) => {
          setValue(event.target.value)
          setIsPast(false)
        }}
        onKeyDown={(event) => {
          if (event.key === 'Enter') submit()
        }}
      />
    </Dialog>
  )
}
