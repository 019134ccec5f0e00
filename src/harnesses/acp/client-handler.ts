/** Handles and records the messages from an agent: updates and permission requests. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestPermissionResponse } from '@agentclientprotocol/sdk'
import { asAmount, asObject } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import type { AcpJob } from './acp-job.ts'
import { chooseOption, decidePermission } from './permission.ts'
import type { Recorder } from './record.ts'
import { ToolCalls } from './tool-calls.ts'

/** How long `historyEnd` waits. Some agents replay the history after they have answered the request to load it. */
const QUIET_MS = 250
const HISTORY_MS = 5_000

export class ClientHandler {
  readonly #job: Pick<AcpJob, 'permissions' | 'workspace'>
  readonly #recorder: Recorder
  readonly #calls = new ToolCalls()
  #isWork = false
  #updatedAt = 0
  /** The latest reported cost of the whole session. */
  #cost: number | null = null
  #costBefore: number | null = null

  constructor(job: Pick<AcpJob, 'permissions' | 'workspace'>, recorder: Recorder) {
    this.#job = job
    this.#recorder = recorder
  }

  /** Starts the turn, before the prompt is sent. Updates before this call belong to the history. */
  begin({ isNew }: { readonly isNew: boolean }): void {
    this.#isWork = true
    if (isNew) this.#cost = null
    // In a resumed session, the cost of earlier turns is known only if the agent has reported it again.
    this.#costBefore = isNew ? 0 : this.#cost
  }

  /** The cost of this turn. Null means that the cost is unknown. */
  get costUsd(): number | null {
    return this.#cost === null || this.#costBefore === null ? null : Math.max(0, this.#cost - this.#costBefore)
  }

  update(params: Fields): void {
    const update = asObject(params['update']) ?? {}
    this.#updatedAt = performance.now()
    this.#cost = costIn(update) ?? this.#cost
    if (this.#isWork) this.#recorder.record({ acp: 'update', ...this.#calls.take(update), update })
    else this.#recorder.record({ acp: 'update', isHistory: true, update })
  }

  async permission(params: Fields): Promise<RequestPermissionResponse> {
    const { called, ...known } = this.#calls.takeRequest(asObject(params['toolCall']) ?? {})
    const decision = await decidePermission(known, this.#job)
    const options = params['options']
    const outcome = chooseOption(options, decision)
    const { isAllowed, why } = decision
    const reported = called === undefined ? {} : { called }
    this.#recorder.record({
      acp: 'permission',
      isAllowed,
      why,
      ...reported,
      call: known.call,
      options,
      answer: outcome,
    })
    return { outcome }
  }

  /** Waits until the replay of the history is over. */
  async historyEnd(): Promise<void> {
    const startedAt = performance.now()
    this.#updatedAt = startedAt
    for (;;) {
      const now = performance.now()
      if (now - this.#updatedAt >= QUIET_MS || now - startedAt >= HISTORY_MS) return
      await sleep(QUIET_MS - (now - this.#updatedAt))
    }
  }
}

function costIn(update: Fields): number | null {
  const cost = update['sessionUpdate'] === 'usage_update' ? asObject(update['cost']) : null
  return cost?.['currency'] === 'USD' ? asAmount(cost['amount']) : null
}
