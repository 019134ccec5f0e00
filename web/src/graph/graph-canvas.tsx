/** Draws a graph: cards in layers, lines between them, zoom and arrow keys. */
import { Background, MarkerType, ReactFlow, ReactFlowProvider, useReactFlow } from '@xyflow/react'
import type { Connection, IsValidConnection } from '@xyflow/react'
import '@xyflow/react/dist/base.css'
import { Maximize, Minus, Plus } from 'lucide-react'
import { useMemo } from 'react'
import type { KeyboardEvent } from 'react'
import { useMessages } from '../i18n/use-messages.tsx'
import { IconButton } from '../ui/button.tsx'
import { CardNodeFace } from './card-node.tsx'
import type { CardNode } from './card-node.tsx'
import { holdsBack, linkFault, linkId, neighbourOf } from './graph-cards.ts'
import type { Graph, GraphLink } from './graph-cards.ts'
import css from './graph.module.css'
import { placeCards } from './layout.ts'
import { LinkLine } from './link-edge.tsx'
import type { LinkEdge } from './link-edge.tsx'
import { graphMessages } from './messages.ts'

const NODE_TYPES = { card: CardNodeFace }
const EDGE_TYPES = { link: LinkLine }
/** A small graph is not enlarged, so that its text keeps the normal size. */
const FIT = { maxZoom: 1, padding: 0.15 }

export type LinkEnds = Pick<GraphLink, 'parent' | 'child'>

interface Props {
  readonly board: string
  readonly graph: Graph
  /** The card around which the graph is drawn. */
  readonly middle: string | null
  /** Null while links cannot be changed. */
  readonly onLink: ((link: LinkEnds) => void) | null
  readonly onUnlink: ((link: LinkEnds) => void) | null
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

function Canvas({ board, graph, middle, onLink, onUnlink }: Props) {
  const t = useMessages(graphMessages)
  const { cards, links } = graph
  // The layout depends only on ids and links, so the cards stay in place when a status changes.
  const shape = JSON.stringify([cards.map(({ id }) => id), links.map(linkId)])
  const places = useMemo(() => {
    const [ids, ends] = JSON.parse(shape) as [string[], string[]]
    return placeCards(
      ids,
      ends.map((link) => {
        const [parent = '', child = ''] = link.split(' ')
        return { parent, child }
      }),
    )
  }, [shape])
  const nodes = cards.map((card): CardNode => ({
    id: card.id,
    type: 'card',
    position: places.get(card.id) ?? { x: 0, y: 0 },
    data: { card, board, isMiddle: card.id === middle },
    draggable: false,
    // The focus is on the link inside the card.
    focusable: false,
  }))
  const byId = new Map(cards.map((card) => [card.id, card]))
  const edges = links.flatMap((link): LinkEdge[] => {
    const [parent, child] = [byId.get(link.parent), byId.get(link.child)]
    if (parent === undefined || child === undefined) return []
    return [
      {
        id: linkId(link),
        type: 'link',
        source: link.parent,
        target: link.child,
        focusable: false,
        markerEnd: { type: MarkerType.ArrowClosed, color: 'var(--control)' },
        data: {
          holdsBack: holdsBack(link, parent),
          label: t('unlink', { child: child.title, parent: parent.title }),
          onRemove: onUnlink === null ? null : () => onUnlink({ parent: link.parent, child: link.child }),
        },
      },
    ]
  })
  const isValid: IsValidConnection<LinkEdge> = (connection) => linkFault(links, endsOf(connection)) === null
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the arrow keys move between the links inside
    <section className={css.canvas} aria-label={t('map')} onKeyDown={(event) => moveFocus(event, places)}>
      <ReactFlow<CardNode, LinkEdge>
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
  event.currentTarget.querySelector<HTMLElement>(`[data-card="${to}"] a`)?.focus()
}

function Zoom() {
  const t = useMessages(graphMessages)
  const flow = useReactFlow()
  return (
    <div className={css.zoom}>
      <IconButton icon={<Plus />} label={t('zoomIn')} onClick={() => void flow.zoomIn()} />
      <IconButton icon={<Minus />} label={t('zoomOut')} onClick={() => void flow.zoomOut()} />
      <IconButton icon={<Maximize />} label={t('fit')} onClick={() => void flow.fitView(FIT)} />
    </div>
  )
}
