/** What the board wants to know of what an agent prints, and how it follows from that. */
import { cutFront } from '../../core/text.ts'
import type { Entry, Failure, Usage } from './entry.ts'

const NOTHING: Usage = { inputTokens: null, outputTokens: null, costUsd: null }

/** In one turn. */
export interface Heard {
  readonly session: string | null
  readonly usage: Usage | null
  readonly usageOf: 'turn' | 'session'
  /** What ended it, as its program said last. */
  readonly failure: Failure | null
  /** The limit that it waits out by itself, as long as nothing else has come since. */
  readonly waits: Failure | null
  /** How often its conversation was found too long since it last did something. */
  readonly overflows: number
  readonly hasAnswered: boolean
  /** The agent's last words. */
  readonly said: string | null
  /** Whether they may still go on. */
  readonly isSpeaking: boolean
}

export const NOTHING_HEARD: Heard = {
  session: null,
  usage: null,
  usageOf: 'turn',
  failure: null,
  waits: null,
  overflows: 0,
  hasAnswered: false,
  said: null,
  isSpeaking: false,
}

/** Of what is said in many pieces: the end of it is what matters. */
const SAID_LENGTH = 16_384

/** Whatever was in its way is not any more. */
const GOES_ON = { waits: null, failure: null } as const

export function hear(before: Heard, entry: Entry): Heard {
  switch (entry.kind) {
    case 'session':
      return { ...before, session: entry.id }
    case 'said':
      return { ...before, ...GOES_ON, hasAnswered: true, said: words(before, entry), isSpeaking: true }
    case 'answers':
      return { ...before, ...GOES_ON, hasAnswered: true, isSpeaking: false }
    case 'called':
      return { ...before, ...GOES_ON, overflows: 0, hasAnswered: true, isSpeaking: false }
    case 'returned':
    case 'changed':
      return { ...before, ...GOES_ON }
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
        failure: together(entry.failure, before.failure),
        overflows: before.overflows + (entry.failure.kind === 'context_overflow' ? 1 : 0),
      }
  }
}

/** Said twice: its kind or the time may have been told the first time only. */
function together(failure: Failure, before: Failure | null): Failure {
  const isSame = before !== null && (failure.kind === before.kind || failure.kind === 'other')
  return isSame ? { ...failure, kind: before.kind, retryAt: failure.retryAt ?? before.retryAt } : failure
}

/** What kept it from going on, once it has ended: a limit that it did not outwait is one, too. */
export const hindrance = ({ failure, waits }: Pick<Heard, 'failure' | 'waits'>): Failure | null => failure ?? waits

/** An agent that says when it will try again, and says nothing more by then, is at work: it waits no longer. */
const TRY_MS = 10_000

/** The limit that it waits out by itself now; null where it does not. */
export const waitsNow = ({ waits }: Pick<Heard, 'waits'>): Failure | null =>
  waits?.retryAt != null && waits.retryAt + TRY_MS < Date.now() ? null : waits

const words = ({ said, isSpeaking }: Heard, { text, goesOn = false }: Extract<Entry, { kind: 'said' }>): string =>
  cutFront(goesOn && isSpeaking ? `${said}${text}` : text, SAID_LENGTH)

/** What is not known stays unknown; what is known of one of them counts, up to the largest number that is exact. */
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
