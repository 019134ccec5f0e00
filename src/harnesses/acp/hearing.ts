/** What an agent tells and asks of its client, recorded as it comes. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk'
import { asAmount, asObject } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import type { Errand } from './errand.ts'
import { choose, judge } from './permission.ts'
import type { Recorder } from './record.ts'
import { ToolCalls } from './tool-calls.ts'

/** Some agents tell what was said before only after they have answered that they know it. */
const QUIET_MS = 250
const HISTORY_MS = 5_000

export class Hearing {
  readonly #errand: Pick<Errand, 'permissions' | 'workspace'>
  readonly #recorder: Recorder
  readonly #calls = new ToolCalls()
  #isWork = false
  #toldAt = 0
  /** Of the whole session, as it was last told. */
  #cost: number | null = null
  #costBefore: number | null = null

  constructor(errand: Pick<Errand, 'permissions' | 'workspace'>, recorder: Recorder) {
    this.#errand = errand
    this.#recorder = recorder
  }

  /** From here on it is work; before, whatever is told is history: nothing of a new session is. */
  begin({ isNew }: { readonly isNew: boolean }): void {
    this.#isWork = true
    if (isNew) this.#cost = null
    // What an earlier turn has spent is not known, unless it is told again.
    this.#costBefore = isNew ? 0 : this.#cost
  }

  /** What was spent since then; null where that cannot be known. */
  get costUsd(): number | null {
    return this.#cost === null || this.#costBefore === null ? null : Math.max(0, this.#cost - this.#costBefore)
  }

  update(params: Fields): void {
    const update = asObject(params['update']) ?? {}
    this.#toldAt = performance.now()
    this.#cost = costIn(update) ?? this.#cost
    if (this.#isWork) this.#recorder.record({ acp: 'update', ...this.#calls.take(update), update })
    else this.#recorder.record({ acp: 'update', isHistory: true, update })
  }

  async permission(params: Fields): Promise<RequestPermissionResponse> {
    const { called, ...known } = this.#calls.asked(asObject(params['toolCall']) ?? {})
    const leave = await judge(known, this.#errand)
    const options = params['options']
    const outcome = choose(options, leave)
    const { isAllowed, why } = leave
    const told = called === undefined ? {} : { called }
    this.#recorder.record({ acp: 'permission', isAllowed, why, ...told, call: known.call, options, answer: outcome })
    return { outcome }
  }

  /** Until nothing has been told for a while. */
  async quiet(): Promise<void> {
    const begun = performance.now()
    this.#toldAt = begun
    for (;;) {
      const now = performance.now()
      if (now - this.#toldAt >= QUIET_MS || now - begun >= HISTORY_MS) return
      await sleep(QUIET_MS - (now - this.#toldAt))
    }
  }
}

function costIn(update: Fields): number | null {
  const cost = update['sessionUpdate'] === 'usage_update' ? asObject(update['cost']) : null
  return cost?.['currency'] === 'USD' ? asAmount(cost['amount']) : null
}
