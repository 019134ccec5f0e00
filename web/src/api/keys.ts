/** The keys of cached queries. An event of the feed makes some of these keys stale: see `staleKeys`. */
import type { FeedEvent } from './live-messages.ts'

export const keys = {
  boards: ['boards'],
  /** Null: all boards. */
  board: (board: string | null) => ['board', board],
  /** The key of the pages of a board's columns after the first page. These pages follow changes more slowly. */
  morePages: (board: string | null) => ['more-pages', board],
  stats: (board: string) => ['stats', board],
  inbox: ['inbox'],
  /** The key of the counts that are always in view. */
  summary: ['summary'],
  agents: ['agents'],
  /** The key of the agents with their figures. */
  roster: ['agents', 'roster'],
  pauses: ['pauses'],
  accounts: ['accounts'],
  /** The beginning of the keys of everything about one card, such as `[...keys.card(id), 'runs']`. */
  card: (id: string) => ['card', id],
  /** The newest events. */
  events: ['events'],
  /** The key of the figures about a period. */
  totals: ['totals'],
  tokens: ['tokens'],
  session: ['session'],
  health: ['health'],
  /** The saved views. */
  views: ['views'],
} as const

export type Key = readonly unknown[]

/** Matches the kinds of events that are not about a card. */
const ABOUT_MACHINE = /^(paused|resumed|account_|agent_|dispatcher_)/
const ABOUT_TOKENS = /^token_/
const ABOUT_VIEWS = /^view_/

/** The keys of the queries that an event makes stale. A key includes all longer keys that begin with it. */
export function staleKeys({ kind, board, taskId, runId }: FeedEvent): readonly Key[] {
  if (ABOUT_TOKENS.test(kind)) return [keys.tokens]
  if (ABOUT_VIEWS.test(kind)) return [keys.views, keys.events]
  const common: readonly Key[] = [
    keys.board(board),
    keys.board(null),
    keys.boards,
    keys.inbox,
    keys.summary,
    keys.events,
    keys.totals,
    keys.roster,
  ]
  const machine: readonly Key[] =
    ABOUT_MACHINE.test(kind) || taskId === null ? [keys.pauses, keys.accounts, keys.agents] : []
  const card: readonly Key[] = taskId === null ? [] : [keys.card(taskId)]
  // The start or end of a run changes the number of cards that wait for an agent, and the cost of the day.
  const run: readonly Key[] = runId === null ? [] : [keys.stats(board), keys.agents]
  return [...common, ...machine, ...card, ...run]
}
