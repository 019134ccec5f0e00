/** The summary of an agent's output in one turn, as far as the board needs it. */
import { cutFront } from '../../core/text.ts'
import type { Entry, Failure, Usage } from './entry.ts'

const NOTHING: Usage = { inputTokens: null, outputTokens: null, costUsd: null }

export interface TurnSummary {
  readonly session: string | null
  readonly usage: Usage | null
  readonly usageOf: 'turn' | 'session'
  /** The last failure that the program reported. */
  readonly failure: Failure | null
  /**
   * The rate limit that the program waits for. Null means that the program does not wait, or has made progress or
   * failed since.
   */
  readonly waits: Failure | null
  /** The number of times that the context was too long since the last tool call. */
  readonly overflows: number
  readonly hasAnswered: boolean
  /** The end of the agent's last message. */
  readonly lastMessage: string | null
  /** Whether the next piece of text may continue the last message. */
  readonly isMessageOpen: boolean
}

export const EMPTY_SUMMARY: TurnSummary = {
  session: null,
  usage: null,
  usageOf: 'turn',
  failure: null,
  waits: null,
  overflows: 0,
  hasAnswered: false,
  lastMessage: null,
  isMessageOpen: false,
}

/** The maximum length of a kept message. A message may come in many pieces, and only its end is kept. */
const MESSAGE_LENGTH = 16_384

/** The changes that any progress makes: it clears the failure and the wait. */
const PROGRESS = { waits: null, failure: null } as const

export function addEntry(before: TurnSummary, entry: Entry): TurnSummary {
  switch (entry.kind) {
    case 'session':
      return { ...before, session: entry.id }
    case 'said':
      return {
        ...before,
        ...PROGRESS,
        hasAnswered: true,
        lastMessage: messageAfter(before, entry),
        isMessageOpen: true,
      }
    case 'answers':
      return { ...before, ...PROGRESS, hasAnswered: true, isMessageOpen: false }
    case 'called':
      return { ...before, ...PROGRESS, overflows: 0, hasAnswered: true, isMessageOpen: false }
    case 'returned':
    case 'changed':
      return { ...before, ...PROGRESS }
    case 'usage':
      return {
        ...before,
        usage: addUsage(entry.of === 'step' ? before.usage : null, entry.usage),
        usageOf: entry.of === 'session' ? 'session' : 'turn',
      }
    case 'waits':
      return { ...before, waits: entry.failure }
    case 'failed':
      return {
        ...before,
        waits: null,
        failure: mergeFailures(entry.failure, before.failure),
        overflows: before.overflows + (entry.failure.kind === 'context_overflow' ? 1 : 0),
      }
  }
}

/** Merges two reports of one failure. Some programs report the kind or the retry time only once. */
function mergeFailures(failure: Failure, before: Failure | null): Failure {
  const isSame = before !== null && (failure.kind === before.kind || failure.kind === 'other')
  return isSame ? { ...failure, kind: before.kind, retryAt: failure.retryAt ?? before.retryAt } : failure
}

/** The failure that made a program exit. If the program reported no failure, the rate limit that it waited for. */
export const lastFailure = ({ failure, waits }: Pick<TurnSummary, 'failure' | 'waits'>): Failure | null =>
  failure ?? waits

/** The time after an announced retry without output, after which a program counts as working again. */
const RETRY_GRACE_MS = 10_000

/** The rate limit that the program waits for now. Null means that the program does not wait. */
export const currentWait = ({ waits }: Pick<TurnSummary, 'waits'>): Failure | null =>
  waits?.retryAt != null && waits.retryAt + RETRY_GRACE_MS < Date.now() ? null : waits

const messageAfter = (
  { lastMessage, isMessageOpen }: TurnSummary,
  { text, isContinuation = false }: Extract<Entry, { kind: 'said' }>,
): string => cutFront(isContinuation && isMessageOpen ? `${lastMessage}${text}` : text, MESSAGE_LENGTH)

/** Adds two usages. A number that neither of them reports stays null. Sums stop at the largest safe integer. */
export function addUsage(one: Usage | null, other: Usage | null): Usage {
  const a = one ?? NOTHING
  const b = other ?? NOTHING
  const add = (x: number | null, y: number | null): number | null =>
    x === null && y === null ? null : Math.min((x ?? 0) + (y ?? 0), Number.MAX_SAFE_INTEGER)
  return {
    inputTokens: add(a.inputTokens, b.inputTokens),
    outputTokens: add(a.outputTokens, b.outputTokens),
    costUsd: add(a.costUsd, b.costUsd),
  }
}
