import type { Run } from './run.ts'

/** What an agent is to the board in a run: who works on a card, who reviews it, or who may use the whole board. */
export type BoardRole = 'worker' | 'reviewer' | 'orchestrator'

/** Among an agent's tools, the word for every tool of the board. */
export const WHOLE_BOARD = 'kanban'

export function boardRole(tools: readonly string[], phase: Run['phase']): BoardRole {
  if (tools.includes(WHOLE_BOARD)) return 'orchestrator'
  return phase === 'review' ? 'reviewer' : 'worker'
}
