import { useQuery } from '@tanstack/react-query'
import { boardsQuery } from '../api/queries.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Select } from '../ui/select.tsx'
import css from './create.module.css'
import { createMessages } from './messages.ts'

interface Props {
  readonly board: string
  readonly onChange: (board: string) => void
}

/** Chooses the board of the card, beside the title of the dialog. */
export function BoardChoice({ board, onChange }: Props) {
  const t = useMessages(createMessages)
  const { data = [] } = useQuery(boardsQuery)
  const open = data.filter(({ archivedAt }) => archivedAt === null)
  const name = open.find(({ slug }) => slug === board)?.name ?? board
  return (
    <span className={css.board}>
      {t('onBoard')}
      {open.length < 2 ? (
        <b className={css.boardName}>{name}</b>
      ) : (
        <Select
          label={t('board')}
          value={board}
          options={open.map(({ slug, name: label }) => ({ value: slug, label }))}
          onChange={onChange}
        />
      )}
    </span>
  )
}
