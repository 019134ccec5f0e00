import { useState } from 'react'
import type { FormEvent } from 'react'
import { serverNow } from '../api/server-clock.ts'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { useFirstFocus } from '../ui/use-first-focus.ts'
import { Choices } from '../ui/switch.tsx'
import css from './detail.module.css'
import { pauseMessages } from './pause-messages.ts'
import { usePause } from './use-pause.ts'

const HOUR = 3_600_000
const LENGTHS = { untilResumed: null, anHour: HOUR, eightHours: 8 * HOUR, aDay: 24 * HOUR } as const
type Length = keyof typeof LENGTHS
const NAMES = Object.keys(LENGTHS) as readonly Length[]

interface Props {
  readonly name: string
  readonly onClose: () => void
}

export function PauseDialog({ name, onClose }: Props) {
  const t = useMessages(pauseMessages)
  const language = useLanguage()
  const [reason, setReason] = useState('')
  const [length, setLength] = useState<Length>('untilResumed')
  const firstField = useFirstFocus()
  const pause = usePause(name, serverNow, onClose)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    pause.mutate({ reason, forMs: LENGTHS[length] })
  }
  return (
    <Dialog
      isOpen
      isNarrow
      onClose={onClose}
      title={t('pauseTitle', { agent: name })}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button type="submit" form="pause" look="primary" writes isBusy={pause.isPending}>
            {t('pauseNow')}
          </Button>
        </>
      }
    >
      <form id="pause" className={css.choices} onSubmit={submit}>
        <p>{t('pauseText')}</p>
        <TextField
          label={t('reason')}
          remark={t('optional')}
          hint={t('reasonHint')}
          error={pause.error === null ? null : describeError(pause.error, language)}
          value={reason}
          maxLength={200}
          ref={firstField}
          onChange={(event) => setReason(event.target.value)}
        />
        <div>
          <p className={css.label} aria-hidden="true">
            {t('howLong')}
          </p>
          <Choices
            label={t('howLong')}
            choices={NAMES.map((key) => ({ key, label: t(key) }))}
            current={length}
            onChange={setLength}
          />
        </div>
      </form>
    </Dialog>
  )
}
