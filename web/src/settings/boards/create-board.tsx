import { useState } from 'react'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import type { BoardSummary } from '../../api/queries.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import css from './boards.module.css'
import { boardsMessages } from './messages.ts'

interface Props {
  readonly boards: readonly BoardSummary[]
  readonly onClose: () => void
  readonly onCreated: (slug: string) => void
}

const SLUG = /^[a-z0-9][a-z0-9_-]{0,63}$/

export function CreateBoard({ boards, onClose, onCreated }: Props) {
  const t = useMessages(boardsMessages)
  const language = useLanguage()
  const focus = useFirstFocus()
  const [slug, setSlug] = useState('')
  const [name, setName] = useState('')
  const [description, setDescription] = useState('')
  const [fault, setFault] = useState<'slugFault' | 'slugTaken' | null>(null)
  const create = useCommand({
    run: () => client.boardsCreate({ slug, name: name.trim() === '' ? null : name.trim(), description }),
    refresh: () => [keys.boards, keys.summary],
    onDone({ name: made }) {
      onClose()
      onCreated(slug)
      showToast({ kind: 'done', text: t('created', { board: made }) })
    },
  })
  const submit = (): void => {
    if (!SLUG.test(slug)) setFault('slugFault')
    else if (boards.some((board) => board.slug === slug)) setFault('slugTaken')
    else create.mutate(undefined)
  }
  return (
    <Dialog
      isOpen
      isNarrow
      onClose={onClose}
      title={t('createTitle')}
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button look="primary" writes isBusy={create.isPending} onClick={submit}>
            {t('createButton')}
          </Button>
        </>
      }
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          ref={focus}
          label={t('slug')}
          hint={t('slugHint')}
          error={fault === null ? (create.error === null ? null : describeError(create.error, language)) : t(fault)}
          value={slug}
          spellCheck={false}
          onChange={(event) => {
            setSlug(event.target.value.toLowerCase())
            setFault(null)
          }}
        />
        <TextField
          label={t('name')}
          hint={t('nameHint')}
          value={name}
          onChange={(event) => setName(event.target.value)}
        />
        <TextField label={t('purpose')} value={description} onChange={(event) => setDescription(event.target.value)} />
        <button type="submit" hidden>
          {t('createButton')}
        </button>
      </form>
    </Dialog>
  )
}
