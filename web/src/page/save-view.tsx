/** The form that saves the filters and the display of the board as a view. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ReactElement } from 'react'
import { useSearchParams } from 'wouter'
import { client } from '../api/client.ts'
import { keys } from '../api/keys.ts'
import { viewsQuery } from '../api/queries.ts'
import { useCommand } from '../api/use-command.ts'
import { useValue } from '../app-state/use-value.ts'
import { describeError } from '../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { rememberedDisplay } from '../routes/remembered-display.ts'
import { viewQuery } from '../routes/view-address.ts'
import { Button } from '../ui/button.tsx'
import { TextField } from '../ui/field.tsx'
import { Popover } from '../ui/popover.tsx'
import { showToast } from '../ui/toasts.ts'
import css from './save-view.module.css'
import { viewMessages } from './view-messages.ts'

interface Props {
  /** Null means all boards. */
  readonly board: string | null
  /** The button that opens the form. */
  readonly trigger: ReactElement
}

export function SaveView({ board, trigger }: Props) {
  const t = useMessages(viewMessages)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Popover trigger={trigger} label={t('save')} align="end" isOpen={isOpen} onOpenChange={setIsOpen}>
      <Form board={board} onDone={() => setIsOpen(false)} />
    </Popover>
  )
}

function Form({ board, onDone }: { readonly board: string | null; readonly onDone: () => void }) {
  const t = useMessages(viewMessages)
  const language = useLanguage()
  const [address] = useSearchParams()
  const display = useValue(rememberedDisplay)
  const { data: views = [] } = useQuery(viewsQuery)
  const [name, setName] = useState('')
  const [error, setError] = useState<string | null>(null)
  const save = useCommand({
    run: (input: { readonly name: string; readonly query: string }) => client.viewsSave({ ...input, of: board }),
    refresh: () => [keys.views],
    onDone(view) {
      showToast({ kind: 'done', text: t('saved', { name: view.name }) })
      onDone()
    },
    onRefusal: (refused) => setError(describeError(refused, language)),
  })
  const replaces = views.some((view) => view.name === name.trim())
  return (
    <form
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() === '') setError(t('noName'))
        else save.mutate({ name: name.trim(), query: viewQuery(address, display) })
      }}
    >
      <TextField
        label={t('name')}
        hint={t(replaces ? 'replaces' : 'shared')}
        error={error}
        maxLength={80}
        value={name}
        onChange={(event) => {
          setName(event.target.value)
          setError(null)
        }}
      />
      <Button look="primary" type="submit" writes isBusy={save.isPending}>
        {t(replaces ? 'replace' : 'save')}
      </Button>
    </form>
  )
}
