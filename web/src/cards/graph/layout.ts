/** Arranges the cards of a graph in layers. Each card comes after its parents. */
import { graphlib, layout } from '@dagrejs/dagre'
import type { GraphLabel } from '@dagrejs/dagre'
import type { LinkEnds } from './link-ends.ts'

/** The size of a card in the graph, in pixels at the default font size. canvas.module.css sets the same size in rem. */
export const NODE_WIDTH = 224
const NODE_HEIGHT = 64

const BETWEEN_LAYERS = 64
const BETWEEN_CARDS = 16

/** Dagre reads the size of a node and writes its centre. */
interface Box {
  width: number
  height: number
  x?: number
  y?: number
}

export interface Place {
  readonly x: number
  readonly y: number
}

/** Whether each card is to the right of its parents, or below them. */
export type Direction = 'right' | 'down'

/** Returns the top left corner of each card. The same cards and links always give the same result. */
export function placeCards(
  ids: readonly string[],
  links: readonly LinkEnds[],
  direction: Direction = 'right',
): ReadonlyMap<string, Place> {
  const graph = new graphlib.Graph<GraphLabel, Box>()
  graph.setGraph({ rankdir: direction === 'right' ? 'LR' : 'TB', ranksep: BETWEEN_LAYERS, nodesep: BETWEEN_CARDS })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const id of [...ids].sort()) graph.setNode(id, { width: NODE_WIDTH, height: NODE_HEIGHT })
  const known = new Set(ids)
  for (const { parent, child } of links) if (known.has(parent) && known.has(child)) graph.setEdge(parent, child)
  layout(graph)
  return new Map(
    ids.map((id) => {
      // Dagre returns the centre of a node.
      const { x = 0, y = 0 } = graph.node(id)
      return [id, { x: x - NODE_WIDTH / 2, y: y - NODE_HEIGHT / 2 }]
    }),
  )
}
