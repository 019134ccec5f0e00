/** Adds up the usage of a run's turns. Some CLIs report the usage of each turn, other CLIs the total of the session. */
import type { Usage } from './entry.ts'
import { addUsage } from './turn-summary.ts'
import type { TurnSummary } from './turn-summary.ts'

type TurnUsage = Pick<TurnSummary, 'session' | 'usage' | 'usageOf'>

const FIELDS = ['inputTokens', 'outputTokens', 'costUsd'] as const

export class UsageMeter {
  #spent: Usage | null = null
  #session: string | null = null
  /** The last total of each session, for programs that report totals. */
  readonly #totals = new Map<string | null, Usage>()

  get spent(): Usage | null {
    return this.#spent
  }

  totalOf(session: string | null): Usage | null {
    return this.#totals.get(session) ?? null
  }

  /**
   * Starts with the total of an earlier session, so that the earlier usage does not count again. Call this method when
   * the run resumes a session.
   */
  resume(session: string, total: Usage | null): void {
    this.#session = session
    if (total !== null) this.#totals.set(session, total)
  }

  /** Returns the usage of the run, including this unfinished turn. The turn is not recorded. */
  spentWith(turn: TurnUsage): Usage | null {
    const share = this.#shareOf(turn)
    return share === null ? this.#spent : addUsage(this.#spent, share)
  }

  /** Records a finished turn. Returns the usage of this turn alone. */
  add(turn: TurnUsage): Usage | null {
    const share = this.#shareOf(turn)
    this.#spent = this.spentWith(turn)
    this.#session = turn.session ?? this.#session
    if (turn.usage !== null && turn.usageOf === 'session')
      this.#totals.set(this.#session, lastKnown(this.#totals.get(this.#session) ?? null, turn.usage))
    return share
  }

  #shareOf({ session, usage, usageOf }: TurnUsage): Usage | null {
    if (usage === null || usageOf === 'turn') return usage
    return usageSince(this.#totals.get(session ?? this.#session) ?? null, usage)
  }
}

/**
 * The usage since an earlier total. If the total is smaller than the earlier total, the CLI has started to count from
 * zero again, so the whole total is new.
 */
function usageSince(before: Usage | null, total: Usage): Usage {
  const past = (field: keyof Usage): number => before?.[field] ?? 0
  const isRestarted = FIELDS.some((field) => (total[field] ?? past(field)) < past(field))
  const since = (field: keyof Usage): number | null => {
    const now = total[field]
    return now === null || isRestarted ? now : now - past(field)
  }
  return { inputTokens: since('inputTokens'), outputTokens: since('outputTokens'), costUsd: since('costUsd') }
}

/** The newest total. A number that is missing in the newest total keeps its earlier value. */
const lastKnown = (before: Usage | null, total: Usage): Usage => ({
  inputTokens: total.inputTokens ?? before?.inputTokens ?? null,
  outputTokens: total.outputTokens ?? before?.outputTokens ?? null,
  costUsd: total.costUsd ?? before?.costUsd ?? null,
})
