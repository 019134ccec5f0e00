/**
 * The last output of every running card, for the clients that request it. The logs are checked twice a second, so a run
 * causes at most two notices a second. Only changed logs are read. A log that grows causes a notice even if its last
 * line stays the same, because a client may show the whole log.
 */
import { stat } from 'node:fs/promises'
import type { RunId } from '../../core/ids.ts'
import type { Run } from '../../core/run.ts'
import { cut } from '../../core/text.ts'
import { lastOutputOf } from '../../operations/runs/last-output.ts'
import type { Store } from '../../storage/store.ts'
import { makeAlarmClock } from '../../util/alarm-clock.ts'
import type { RunOutput } from './frames.ts'

export interface OutputListener {
  notify(output: RunOutput): void
}

interface SeenRun {
  /** A value that changes whenever the log or the note changes. */
  readonly version: string
  readonly output: RunOutput | null
}

const LOOK_MS = 500
const LINE_LENGTH = 500
/** The time between two reads of the list of running cards. Every event of a run also causes a read. */
const LIST_MS = 5_000

export class RunOutputs {
  readonly #store: Pick<Store, 'openRuns'>
  readonly #listeners = new Set<OutputListener>()
  readonly #seen = new Map<RunId, SeenRun>()
  readonly #clock = makeAlarmClock()
  #runs: readonly Run[] = []
  #listedAt = -Infinity
  #loop: Promise<void> | null = null

  constructor(store: Pick<Store, 'openRuns'>) {
    this.#store = store
  }

  /** Adds a listener. The listener gets the known outputs at once, and new outputs until it is removed. */
  add(listener: OutputListener): void {
    this.#listeners.add(listener)
    for (const { output } of this.#seen.values()) if (output !== null) listener.notify(output)
    this.#loop ??= this.#watch()
  }

  remove(listener: OutputListener): void {
    if (this.#listeners.delete(listener) && this.#listeners.size === 0) this.#clock.ring()
  }

  /** Reads the list of running cards again. Call this method when a run may have started, ended or written a note. */
  refresh(): void {
    this.#listedAt = -Infinity
  }

  async stop(): Promise<void> {
    this.#listeners.clear()
    this.#clock.ring()
    await this.#loop
  }

  async #watch(): Promise<void> {
    while (this.#listeners.size > 0) {
      // The error is ignored, because the logs are checked again soon.
      await this.#look().catch(() => {})
      await this.#clock.sleep(LOOK_MS)
    }
    this.#seen.clear()
    this.refresh()
    this.#loop = null
  }

  async #look(): Promise<void> {
    if (performance.now() - this.#listedAt >= LIST_MS) await this.#list()
    for (const run of this.#runs) await this.#lookAt(run)
  }

  async #list(): Promise<void> {
    this.#listedAt = performance.now()
    this.#runs = (await this.#store.openRuns(null)).filter(({ kind }) => kind === 'agent')
    const open = new Set(this.#runs.map(({ id }) => id))
    for (const id of this.#seen.keys()) if (!open.has(id)) this.#seen.delete(id)
  }

  async #lookAt(run: Run): Promise<void> {
    const version = await versionOf(run)
    const before = this.#seen.get(run.id)
    if (before?.version === version) return
    const line = await lastOutputOf(run).catch(() => null)
    const output =
      line === null ? null : { board: run.board, taskId: run.taskId, runId: run.id, line: cut(line, LINE_LENGTH) }
    this.#seen.set(run.id, { version, output })
    if (output === null) return
    for (const listener of this.#listeners) listener.notify(output)
  }
}

async function versionOf({ note, logPath }: Run): Promise<string> {
  const log = logPath === null ? null : await stat(logPath).catch(() => null)
  return JSON.stringify([note, log?.size, log?.mtimeMs])
}
