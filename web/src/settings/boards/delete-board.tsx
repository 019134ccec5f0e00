import { useState } from 'react'
import { client } from '../../api/client.ts'
import { keys } from '../../api/keys.ts'
import type { BoardSummary } from '../../api/queries.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { chooseFirstBoard, firstBoard } from '../../routes/first-board.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { showToast } from '../../ui/toasts.ts'
import { useFirstFocus } from '../../ui/use-first-focus.ts'
import css from './boards.module.css'
import { boardsMessages } from './messages.ts'

interface Props {
  readonly board: BoardSummary
  readonly onClose: () => void
}

/**
 * The dialog that deletes a board. The person must type the name of the board, because a deleted board cannot be
 * restored.
 */
export function DeleteBoard({ board: { slug, name, total }, onClose }: Props) {
  const t = useMessages(boardsMessages)
  const language = useLanguage()
  const focus = useFirstFocus()
  const [typed, setTyped] = useState('')
  const remove = useCommand<void, unknown>({
    run: () => client.boardsDelete({ slug }),
    refresh: () => [keys.boards, keys.summary],
    onDone() {
      if (firstBoard.get() === slug) chooseFirstBoard(null)
      onClose()
      showToast({ kind: 'done', text: t('deleted', { board: name }) })
    },
  })
  const isConfirmed = typed.trim() === slug
  return (
    <Dialog
      isOpen
      isNarrow
      onClose={onClose}
      title={t('deleteTitle', { board: name })}
      footer={
        <>
          <Button look="ghost" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button
            isDanger
            writes
            isBusy={remove.isPending}
            disabledReason={isConfirmed ? null : t('deleteLabel')}
            onClick={() => remove.mutate()}
          >
            {t('deleteButton')}
          </Button>
        </>
      }
    >
      <form
        className={css.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (isConfirmed) remove.mutate()
        }}
      >
        <p>
          {t('deleteText', { n: total })} <code>{slug}</code>
        </p>
        <TextField
          ref={focus}
          label={t('deleteLabel')}
          error={remove.error === null ? null : describeError(remove.error, language)}
          value={typed}
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
        <button type="submit" hidden>
          {t('deleteButton')}
        </button>
      </form>
    </Dialog>
  )
}
