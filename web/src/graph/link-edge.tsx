/** A link between two cards. A button in its middle removes it. */
import { BaseEdge, EdgeLabelRenderer, getBezierPath, useStore } from '@xyflow/react'
import type { Edge, EdgeProps } from '@xyflow/react'
import { X } from 'lucide-react'
import { classNames } from '../ui/class-names.ts'
import css from './graph.module.css'

export type LinkEdge = Edge<
  {
    /** Whether the child still waits for the parent. */
    readonly holdsBack: boolean
    readonly label: string
    /** Null means that the link cannot be removed now. */
    readonly onRemove: (() => void) | null
  },
  'link'
>

export function LinkLine({ data, ...ends }: EdgeProps<LinkEdge>) {
  const [path, x, y] = getBezierPath(ends)
  const { markerEnd } = ends
  // The button keeps its size when a large graph is drawn small. A finger could not press it otherwise.
  const scale = useStore(({ transform: [, , zoom] }) => Math.max(1, 1 / zoom))
  return (
    <>
      <BaseEdge
        path={path}
        {...(markerEnd !== undefined && { markerEnd })}
        className={classNames(css.link, data?.holdsBack === true && css.waits)}
      />
      {data?.onRemove != null && (
        <EdgeLabelRenderer>
          <button
            type="button"
            className={classNames(css.remove, 'nodrag', 'nopan')}
            style={{ translate: `calc(${x}px - 50%) calc(${y}px - 50%)`, scale: String(scale) }}
            aria-label={data.label}
            title={data.label}
            onClick={data.onRemove}
          >
            <X />
          </button>
        </EdgeLabelRenderer>
      )}
    </>
  )
}
