/**
 * The other way to say how a run went: a file in the root of the workspace, read when the agent has ended its turn
 * without a word. What it says is recorded like what is said through the board's tools. A file that lay there before
 * the turn began says nothing of it, and one that cannot be read as a verdict is none.
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

const HEAR_MS = 15_000

/** What each verdict is called among the operations. */
const OPERATIONS: Readonly<Record<ResultVerdict['verdict'], string>> = {
  complete: 'complete',
  block: 'block',
  request_review: 'request-review',
  request_changes: 'request-changes',
}

/** Its agent has ended already. */
const OVER = { start: () => {} }
/** The checks follow when it is known what was said: nobody waits for them here. */
const LATER = { check: async () => ({ kind: 'unneeded' }) as const, stop: async () => {} }

export class ResultFileSubmitter {
  /** Why the file of the last turn was no verdict, in a sentence; null when there was none, or it was one. */
  fault: string | null = null
  readonly #owned: SupervisedRun
  readonly #answer: AnswerWorker
  #turn: TurnMark | null = null

  constructor(owned: SupervisedRun, answer: AnswerWorker) {
    this.#owned = owned
    this.#answer = answer
  }

  /** A turn begins: what lies there now is not its word. It stays where it is, for it may be somebody's. */
  async begin(workspace: string): Promise<void> {
    const { directory, fence, task } = this.#owned
    // What is not in a folder of ours is left alone.
    this.#turn = await noteTurn(directory, fence, { workspace, managed: task.workspace.kind !== 'dir' })
    this.fault = null
  }

  /** The turn has ended. Does nothing when the agent has spoken for itself. */
  async submit(): Promise<void> {
    const turn = this.#turn
    const { store, fence, directory } = this.#owned
    if (turn === null || !(await hasResult(turn))) return
    const run = await retryUntilAvailable(() => store.run(fence.runId))
    // For an ended run the result is recorded as a late write.
    if (run !== null && run.endedAt === null && run.verdict !== null) return
    try {
      const { verdict, said } = await callFileHelper('readResult', turn)
      const input = { task: this.#owned.ticket.task, ...said, ...artifactsOf(said['artifacts'], turn) }
      const requester = { owned: this.#owned, checkRunner: LATER, turnTimeout: OVER }
      await retryUntilAvailable(() => this.#answer(requester, OPERATIONS[verdict], input), { forMs: HEAR_MS })
      // Said and written down, it is no part of the work.
      if (turn.managed) await rename(resultPath(turn), directory.result).catch(() => {})
    } catch (error) {
      this.fault = error instanceof Error ? error.message : String(error)
      await noteInLog(directory.log, `${RESULT_FILE} is no verdict: ${this.fault}`)
    }
  }
}

/** Named from the workspace, where a path is not absolute. */
const artifactsOf = (named: unknown, { workspace }: TurnMark): { artifacts?: unknown } =>
  Array.isArray(named)
    ? { artifacts: named.map((path: unknown) => (typeof path === 'string' ? resolve(workspace, path) : path)) }
    : {}
