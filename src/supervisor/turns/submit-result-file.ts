/**
 * Submits the result file as the worker's verdict. Instead of using the board's tools, an agent may write this file into
 * the root of the workspace. It is read after a turn without a verdict. A file from before the turn is ignored.
 */
import { rename } from 'node:fs/promises'
import { resolve } from 'node:path'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import { noteInLog } from '../../runs/log/log-note.ts'
import { RESULT_FILE, hasResult, noteTurn, resultPath } from '../../runs/files/result-file-reader.ts'
import type { ResultVerdict, TurnMark } from '../../runs/files/result-file-reader.ts'
import type { AnswerWorker } from '../run-socket.ts'
import type { SupervisedRun } from '../supervised-run.ts'
import { retryUntilAvailable } from '../retry.ts'

const SUBMIT_MS = 15_000

/** The operation of each verdict. */
const VERDICT_OPERATIONS: Readonly<Record<ResultVerdict['verdict'], string>> = {
  complete: 'complete',
  block: 'block',
  request_review: 'request-review',
  request_changes: 'request-changes',
}

/** The agent has already exited, so no timeout is needed. */
const NO_TIMEOUT = { start: () => {} }
/** The checks run later, before the settlement. */
const NO_CHECKS_YET = { check: async () => ({ kind: 'unneeded' }) as const, stop: async () => {} }

export class ResultFileSubmitter {
  /** Why the file of the last turn is not a valid verdict; null if there was no file, or it was valid. */
  fault: string | null = null
  readonly #owned: SupervisedRun
  readonly #answer: AnswerWorker
  #turn: TurnMark | null = null

  constructor(owned: SupervisedRun, answer: AnswerWorker) {
    this.#owned = owned
    this.#answer = answer
  }

  /**
   * Records the state of the file before the turn. A file that exists then is not the turn's verdict. It is not
   * removed, because it may be the user's.
   */
  async begin(workspace: string): Promise<void> {
    const { directory, fence, task } = this.#owned
    this.#turn = await noteTurn(directory, fence, { workspace, managed: task.workspace.kind !== 'dir' })
    this.fault = null
  }

  /** Called after the turn. Does nothing if the run already has a verdict. */
  async submit(): Promise<void> {
    const turn = this.#turn
    const { store, fence, directory } = this.#owned
    if (turn === null || !(await hasResult(turn))) return
    const run = await retryUntilAvailable(() => store.run(fence.runId))
    // If the run has ended, the result is still submitted, and the store records it as a late write.
    if (run !== null && run.endedAt === null && run.verdict !== null) return
    try {
      const { verdict, fields } = await callFileHelper('readResult', turn)
      const input = { task: this.#owned.ticket.task, ...fields, ...artifactsOf(fields['artifacts'], turn) }
      const requester = { owned: this.#owned, checkRunner: NO_CHECKS_YET, turnTimeout: NO_TIMEOUT }
      await retryUntilAvailable(() => this.#answer(requester, VERDICT_OPERATIONS[verdict], input), { forMs: SUBMIT_MS })
      // The file is moved out of the workspace, because it is not part of the work.
      if (turn.managed) await rename(resultPath(turn), directory.result).catch(() => {})
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error)
      await noteInLog(directory.log, `${RESULT_FILE} is not a valid verdict: ${this.fault}`)
    }
  }
}

/** Resolves relative paths against the workspace. */
const artifactsOf = (named: unknown, { workspace }: TurnMark): { artifacts?: unknown } =>
  Array.isArray(named)
    ? { artifacts: named.map((path: unknown) => (typeof path === 'string' ? resolve(workspace, path) : path)) }
    : {}
