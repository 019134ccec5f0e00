import { useState } from 'react'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import { useCommand } from '../api/use-command.ts'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { viewMessages } from '../page/view-messages.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { appMessages } from './messages.ts'

const FORM = 'rename-view'

export function RenameView({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const t = useMessages(appMessages)
  const tView = useMessages(viewMessages)
  const language = useLanguage()
  const [to, setTo] = useState(name)
  const [error, setError] = useState<string | null>(null)
  const rename = useCommand({
    run: (given: string) => client.viewsRename({ name, to: given }),
    refresh: () => [keys.views],
    onDone: onClose,
    onRefusal: (refused) => setError(describeError(refused, language)),
  })
  return (
    <Dialog
      isOpen
      isNarrow
      onClose={onClose}
      title={t('renameView')}
      footer={
        <Button look="primary" type="submit" form={FORM} writes isBusy={rename.isPending}>
          {t('rename')}
        </Button>
      }
    >
      <form
        id={FORM}
        onSubmit={(event) => {
          event.preventDefault()
          if (to.trim() === '') setError(tView('noName'))
          else rename.mutate(to.trim())
        }}
      >
        <TextField
          label={tView('name')}
          error={error}
          maxLength={80}
          value={to}
          onChange={(event) => {
            setTo(event.target.value)
            setError(null)
          }}
        />
      </form>
    </Dialog>
  )
}
