import { isSatisfied } from '../../../src/core/status.ts'
import type { Outputs } from '../../../src/client/index.ts'

export type Graph = Outputs['graph']
export type GraphCard = Graph['cards'][number]
type GraphLink = Graph['links'][number]

/** Whether the child still waits for the parent. */
export const holdsBack = (link: Pick<GraphLink, 'isWaived'>, parent: Pick<GraphCard, 'status'>): boolean =>
  !link.isWaived && !isSatisfied(parent.status)
