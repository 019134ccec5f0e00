/**
 * Submits the result file as the worker's verdict. An agent may write this file into the root of the workspace, instead
 * of using the board's tools. The file is read after a turn without a verdict. A file that existed before the turn is
 * ignored.
 */
import { rename } from 'node:fs/promises'
import { resolve } from 'node:path'
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import { noteInLog } from '../../runs/log/log-note.ts'
import { RESULT_FILE, hasResult, noteTurn, resultPath } from '../../runs/files/result-file-reader.ts'
import type { ResultVerdict, TurnMark } from '../../runs/files/result-file-reader.ts'
import type { AnswerWorker } from '../run-socket.ts'
import type { SupervisedRun } from '../supervised-run.ts'
import { retryUntilAvailable, retryUntilShutdown } from '../retry.ts'

const SUBMIT_MS = 15_000

/** The operation of each verdict. */
const VERDICT_OPERATIONS: Readonly<Record<ResultVerdict['verdict'], string>> = {
  complete: 'complete',
  block: 'block',
  request_review: 'request-review',
  request_changes: 'request-changes',
}

/** A timeout that does nothing, because the agent has already exited. */
const NO_TIMEOUT = { start: () => {} }
/** A check runner that starts no checks, because the checks run later, before the run is settled. */
const NO_CHECKS_YET = { check: async () => ({ kind: 'unneeded' }) as const, stop: async () => {} }

export class ResultFileSubmitter {
  /**
   * Why the result file of the last turn is not a valid verdict. Null means that the file was valid or did not exist.
   */
  fault: string | null = null
  readonly #owned: SupervisedRun
  readonly #answer: AnswerWorker
  #turn: TurnMark | null = null

  constructor(owned: SupervisedRun, answer: AnswerWorker) {
    this.#owned = owned
    this.#answer = answer
  }

  /**
   * Records the result file as it is before the turn, because an older file is not this turn's verdict. The file is not
   * removed, because it may be the user's.
   */
  async begin(workspace: string): Promise<void> {
    const { directory, fence, task } = this.#owned
    this.#turn = await noteTurn(directory, fence, { workspace, managed: task.workspace.kind !== 'dir' })
    this.fault = null
  }

  /** Submits the result file after the turn, unless the run already has a verdict. */
  async submit(): Promise<void> {
    const turn = this.#turn
    const { store, fence, directory } = this.#owned
    if (turn === null || !(await hasResult(turn))) return
    const run = await retryUntilShutdown(this.#owned, () => store.run(fence.runId))
    // If the run has ended, the result is still submitted, and the store records it as a late write.
    if (run !== null && run.endedAt === null && run.verdict !== null) return
    try {
      const { verdict, fields } = await callFileHelper('readResult', turn)
      const input = { task: this.#owned.ticket.task, ...fields, ...artifactsOf(fields['artifacts'], turn) }
      const requester = { owned: this.#owned, checkRunner: NO_CHECKS_YET, turnTimeout: NO_TIMEOUT }
      await retryUntilAvailable(() => this.#answer(requester, VERDICT_OPERATIONS[verdict], input), { forMs: SUBMIT_MS })
      // The result file is moved out of the workspace, because it is not part of the work.
      if (turn.managed) await rename(resultPath(turn), directory.result).catch(() => {})
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error)
      await noteInLog(directory.log, `${RESULT_FILE} is not a valid verdict: ${this.fault}`)
    }
  }
}

/** The named artifacts, with relative paths resolved against the workspace. */
const artifactsOf = (named: unknown, { workspace }: TurnMark): { artifacts?: unknown } =>
  Array.isArray(named)
    ? { artifacts: named.map((path: unknown) => (typeof path === 'string' ? resolve(workspace, path) : path)) }
    : {}
