import { useQuery } from '@tanstack/react-query'
import { useMessages } from '../../i18n/use-messages.tsx'
import { useQueryField } from '../../routes/use-query-field.ts'
import { ErrorState } from '../../ui/states.tsx'
import { PanelSkeleton } from '../panel-skeleton.tsx'
import { allBoardsQuery } from '../queries.ts'
import { BoardForm } from './board-form.tsx'
import { BoardList } from './board-list.tsx'
import { boardsMessages } from './messages.ts'
import { UnknownBoard } from './unknown-board.tsx'

/** Shows all boards, or the settings of the board that the URL names. */
export function BoardSettings() {
  const t = useMessages(boardsMessages)
  const [slug, setSlug] = useQueryField('board')
  const { data, error, refetch } = useQuery(allBoardsQuery)
  if (data === undefined)
    return error === null ? (
      <PanelSkeleton label={t('loading')} />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  if (slug === null) return <BoardList boards={data} onOpen={setSlug} />
  const board = data.find((one) => one.slug === slug)
  const back = (): void => setSlug(null)
  return board === undefined ? (
    <UnknownBoard slug={slug} onBack={back} />
  ) : (
    <BoardForm key={slug} board={board} onBack={back} />
  )
}
