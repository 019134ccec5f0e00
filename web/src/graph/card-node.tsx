/** Shows a card in the graph: its status, its title and its agent. */
import { Handle, Position } from '@xyflow/react'
import type { Node, NodeProps } from '@xyflow/react'
import { memo } from 'react'
import { Link } from 'wouter'
import { statusMessages } from '../cards/status-messages.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { cardPath } from '../routes/paths.ts'
import { Avatar } from '../ui/avatar.tsx'
import { classNames } from '../ui/class-names.ts'
import { StatusIcon } from '../ui/status-icon.tsx'
import type { GraphCard } from './graph-cards.ts'
import css from './graph.module.css'
import { graphMessages } from './messages.ts'

export type CardNode = Node<{ readonly card: GraphCard; readonly board: string; readonly isMiddle: boolean }, 'card'>

export const CardNodeFace = memo(function CardNodeFace({ data: { card, board, isMiddle } }: NodeProps<CardNode>) {
  const t = useMessages(graphMessages)
  const tStatus = useMessages(statusMessages)
  const { id, title, status, assignee, breakerOpen } = card
  return (
    <div className={classNames(css.card, isMiddle && css.middle)} data-card={id} data-status={status}>
      <Handle type="target" position={Position.Left} className={css.handle} />
      <Link href={cardPath(board, id)} className={css.title} draggable={false} title={title}>
        {title}
      </Link>
      <span className={css.facts}>
        <StatusIcon status={status} label={tStatus(status)} />
        <span className={breakerOpen ? css.failed : undefined}>{tStatus(status)}</span>
        <span className={css.agent}>
          {assignee !== null && <Avatar agent={assignee} />}
          <span className={css.name}>{assignee ?? t('unassigned')}</span>
        </span>
      </span>
      <Handle type="source" position={Position.Right} className={classNames(css.handle, css.start)} />
    </div>
  )
})
