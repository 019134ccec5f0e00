/** Shows a card in the graph: its status, its title and its agent. */
import { Link } from 'wouter'
import drawing from '../cards/graph/canvas.module.css'
import { statusMessages } from '../cards/status-messages.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { cardPath } from '../routes/paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { StatusIcon } from '../ui/status-icon.tsx'
import type { GraphCard } from './graph-cards.ts'
import { graphMessages } from './messages.ts'

interface Props {
  readonly card: GraphCard
  readonly board: string
}

export function CardFace({ card: { id, title, status, assignee, breakerOpen }, board }: Props) {
  const t = useMessages(graphMessages)
  const tStatus = useMessages(statusMessages)
  return (
    <>
      <Link href={cardPath(board, id)} className={drawing.title} draggable={false} title={title}>
        {title}
      </Link>
      <span className={drawing.facts}>
        <StatusIcon status={status} label={tStatus(status)} />
        <span className={breakerOpen ? drawing.failed : undefined}>{tStatus(status)}</span>
        <span className={drawing.agent}>
          {assignee !== null && <Avatar agent={assignee} />}
          <span className={drawing.name}>{assignee ?? t('unassigned')}</span>
        </span>
      </span>
    </>
  )
}
