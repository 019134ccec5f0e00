/** The keys of cached queries. A live event makes some of these keys stale: see `staleKeys`. */
import type { FeedEvent } from './live-messages.ts'

export const keys = {
  boards: ['boards'],
  /** Null means all boards. */
  board: (board: string | null) => ['board', board],
  /** The key of the later pages of a board's columns. They are refreshed less often than the first page. */
  morePages: (board: string | null) => ['more-pages', board],
  stats: (board: string) => ['stats', board],
  inbox: ['inbox'],
  /** The key of the counts that every screen shows. */
  summary: ['summary'],
  agents: ['agents'],
  /** The key of the agents, with their workload and costs. */
  roster: ['agents', 'roster'],
  pauses: ['pauses'],
  accounts: ['accounts'],
  /** The common prefix of all keys about one card, such as `[...keys.card(id), 'runs']`. */
  card: (id: string) => ['card', id],
  /** The newest events. */
  events: ['events'],
  /** The key of the figures about a period. */
  totals: ['totals'],
  tokens: ['tokens'],
  session: ['session'],
  health: ['health'],
  series: ['series'],
  /** The saved views. */
  views: ['views'],
} as const

export type Key = readonly unknown[]

/** Matches the kinds of events that are not about a card. */
const ABOUT_MACHINE = /^(paused|resumed|account_|agent_|dispatcher_)/
const ABOUT_TOKENS = /^token_/
const ABOUT_VIEWS = /^view_/

/** Returns the keys of the queries that an event makes stale. A key stands for all longer keys with this prefix. */
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
    keys.series,
  ]
  const machine: readonly Key[] =
    ABOUT_MACHINE.test(kind) || taskId === null ? [keys.pauses, keys.accounts, keys.agents] : []
  const card: readonly Key[] = taskId === null ? [] : [keys.card(taskId)]
  // When a run starts or ends, the number of cards that wait for an agent changes, and so may the cost of the day.
  const run: readonly Key[] = runId === null ? [] : [keys.stats(board), keys.agents]
  return [...common, ...machine, ...card, ...run]
}
