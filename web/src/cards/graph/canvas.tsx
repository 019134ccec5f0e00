/** Draws a graph: cards in layers, lines between them, zoom and arrow keys. */
import { Background, MarkerType, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import type { Connection, IsValidConnection } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { Maximize, Minus, Plus } from 'lucide-react'
import { useMemo } from 'react'
import type { KeyboardEvent } from 'react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { IconButton } from '../../ui/button.tsx'
import css from './canvas.module.css'
import { placeCards } from './layout.ts'
import type { Direction } from './layout.ts'
import { LinkLine } from './link-line.tsx'
import type { LinkEdge } from './link-line.tsx'
import { linkFault, linkId, neighbourOf } from './links.ts'
import type { LinkEnds } from './link-ends.ts'
import { canvasMessages } from './messages.ts'
import { NodeFrame } from './node.tsx'
import type { FlowNode, GraphNode } from './node.tsx'

const NODE_TYPES = { card: NodeFrame }
const EDGE_TYPES = { link: LinkLine }
/** A small graph is not enlarged, so that its text keeps the normal size. */
const FIT = { maxZoom: 1, padding: 0.15 }

export interface GraphLine extends LinkEnds {
  /** Whether the child still waits for the parent. */
  readonly holdsBack: boolean
  /** The label of the button that removes the link. Null means that the link cannot be removed. */
  readonly removeLabel: string | null
}

interface Props {
  /** The name of the drawing. */
  readonly label: string
  readonly nodes: readonly GraphNode[]
  readonly links: readonly GraphLine[]
  /** Whether each card is to the right of its parents, or below them. */
  readonly direction?: Direction
  /** Null while links cannot be changed. */
  readonly onLink: ((link: LinkEnds) => void) | null
  readonly onUnlink: ((link: LinkEnds) => void) | null
  /** Whether a link is possible. Without this function, every link that closes no cycle is possible. */
  readonly mayLink?: (link: LinkEnds) => boolean
}

export const GraphCanvas = (props: Props) => (
  <ReactFlowProvider>
    <Canvas {...props} />
  </ReactFlowProvider>
)

const endsOf = ({ source, target }: Pick<Connection, 'source' | 'target'>): LinkEnds => ({
  parent: source,
  child: target,
})

function Canvas({ label, nodes: cards, links, direction = 'right', onLink, onUnlink, mayLink = () => true }: Props) {
  // The layout depends only on ids and links, so the cards stay in place when a status changes.
  const shape = JSON.stringify([cards.map(({ id }) => id), links.map(({ parent, child }) => [parent, child])])
  const places = useMemo(() => {
    const [ids, ends] = JSON.parse(shape) as [string[], [string, string][]]
    return placeCards(
      ids,
      ends.map(([parent, child]) => ({ parent, child })),
      direction,
    )
  }, [shape, direction])
  const nodes = cards.map((shown): FlowNode => ({
    id: shown.id,
    type: 'card',
    position: places.get(shown.id) ?? { x: 0, y: 0 },
    data: { shown, direction },
    draggable: false,
    // The focus is on the link inside the card.
    focusable: false,
  }))
  const known = new Set(cards.map(({ id }) => id))
  const edges = links
    .filter(({ parent, child }) => known.has(parent) && known.has(child))
    .map((link): LinkEdge => ({
      id: linkId(link),
      type: 'link',
      source: link.parent,
      target: link.child,
      focusable: false,
      markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--control)' },
      data: {
        holdsBack: link.holdsBack,
        label: link.removeLabel ?? '',
        onRemove:
          onUnlink === null || link.removeLabel === null
            ? null
            : () => onUnlink({ parent: link.parent, child: link.child }),
      },
    }))
  const isValid: IsValidConnection<LinkEdge> = (connection) => {
    const ends = endsOf(connection)
    return mayLink(ends) && linkFault(links, ends) === null
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys move between the links inside
    <section className={css.canvas} aria-label={label} onKeyDown={(event) => moveFocus(event, places)}>
      <ReactFlow<FlowNode, LinkEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        nodesDraggable={false}
        nodesConnectable={onLink !== null}
        elementsSelectable={false}
        isValidConnection={isValid}
        onConnect={(connection) => onLink?.(endsOf(connection))}
        minZoom={0.1}
        maxZoom={2}
        fitView
        fitViewOptions={FIT}
        zoomOnDoubleClick={false}
        deleteKeyCode={null}
        disableKeyboardA11y
        attributionPosition="bottom-left"
      >
        <Background gap={24} />
        <Zoom />
      </ReactFlow>
    </section>
  )
}

/** Moves the focus to the nearest card in the direction of an arrow key. */
function moveFocus(event: KeyboardEvent<HTMLElement>, places: Parameters<typeof neighbourOf>[0]): void {
  if (event.altKey || event.ctrlKey || event.metaKey || !(event.target instanceof Element)) return
  const from = event.target.closest('[data-card]')?.getAttribute('data-card')
  const to = from == null ? null : neighbourOf(places, from, event.key)
  if (to === null) return
  event.preventDefault()
  event.currentTarget.querySelector<HTMLElement>(`[data-card="${to}"] :is(a, button)`)?.focus()
}

function Zoom() {
  const t = useMessages(canvasMessages)
  const flow = useReactFlow()
  return (
    <div className={css.zoom}>
      <IconButton icon={<Plus />} label={t('zoomIn')} onClick={() => void flow.zoomIn()} />
      <IconButton icon={<Minus />} label={t('zoomOut')} onClick={() => void flow.zoomOut()} />
      <IconButton icon={<Maximize />} label={t('fit')} onClick={() => void flow.fitView(FIT)} />
    </div>
  )
}
