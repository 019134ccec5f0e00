/** The frame of a card in a graph: its border, and the points where links start and end. */
import { Handle, Position } from '@xyflow/react'
import type { Node, NodeProps } from '@xyflow/react'
import { memo } from 'react'
import type { ReactNode } from 'react'
import { classNames } from '../../ui/class-names.ts'
import css from './canvas.module.css'
import type { Direction } from './layout.ts'

export interface GraphNode {
  readonly id: string
  readonly face: ReactNode
  /** Whether the graph is about this card. */
  readonly isMiddle?: boolean
  /** Whether nothing can be changed on the card. */
  readonly isQuiet?: boolean
  readonly status?: string
}

export type FlowNode = Node<{ readonly shown: GraphNode; readonly direction: Direction }, 'card'>

export const NodeFrame = memo(function NodeFrame({ data: { shown, direction } }: NodeProps<FlowNode>) {
  const [before, after] = direction === 'right' ? [Position.Left, Position.Right] : [Position.Top, Position.Bottom]
  const { id, face, isMiddle = false, isQuiet = false, status } = shown
  return (
    <div
      className={classNames(css.card, isMiddle && css.middle, isQuiet && css.quiet)}
      data-card={id}
      data-status={status}
    >
      <Handle type="target" position={before} className={css.handle} />
      {face}
      <Handle type="source" position={after} className={classNames(css.handle, css.start)} />
    </div>
  )
})
