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
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import css from './boards.module.css'
import { boardsMessages } from './messages.ts'

interface Props {
  readonly board: BoardSummary
  readonly onClose: () => void
}

interface Named {
  readonly name: string
  readonly description: string
}

/** The dialog that changes the name and the description of a board. */
export function RenameBoard({ board, onClose }: Props) {
  const t = useMessages(boardsMessages)
  const language = useLanguage()
  const focus = useFirstFocus()
  const { slug } = board
  const [{ name, description }, setNamed] = useState<Named>(board)
  const rename = useCommand<void, unknown>({
    async run() {
      if (name.trim() !== board.name) await client.boardsRename({ slug, name: name.trim() })
      if (description !== board.description) await client.boardsSet({ slug, description })
    },
    refresh: () => [keys.boards],
    onDone: onClose,
  })
  return (
    <Dialog
      isOpen
      isNarrow
      onClose={onClose}
      title={t('renameTitle', { board: board.name })}
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button look="primary" writes isBusy={rename.isPending} onClick={() => rename.mutate()}>
            {t('renameButton')}
          </Button>
        </>
      }
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          rename.mutate()
        }}
      >
        <TextField
          ref={focus}
          label={t('name')}
          error={rename.error === null ? null : describeError(rename.error, language)}
          value={name}
          onChange={(event) => setNamed({ name: event.target.value, description })}
        />
        <TextField
          label={t('purpose')}
          value={description}
          onChange={(event) => setNamed({ name, description: event.target.value })}
        />
        <button type="submit" hidden>
          {t('renameButton')}
        </button>
      </form>
    </Dialog>
  )
}
