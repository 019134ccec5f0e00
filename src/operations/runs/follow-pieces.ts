/**
 * Reads the log of a run and follows it. A loop checks whether the run has ended, yields new output, and waits for a
 * change of the file or the store. The check comes before the read, so that all output before the end is yielded.
 */
import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { RunId } from '../../core/ids.ts'
import { makeAlarmClock } from '../../util/alarm-clock.ts'
import { nullIfUnavailable } from '../boards/follow.ts'
import type { StreamContext } from '../shared/operation.ts'

/** The time between two polls. A poll finds a change whose notification was lost. */
const FILE_POLL_MS = 250
const STORE_POLL_MS = 2_000

/** A source that is read piece by piece. `next` returns null if the source has no new piece at the moment. */
interface Source<T> {
  next(): Promise<T | null>
}

export interface LogSource<T> {
  readonly run: RunId
  readonly path: string
  readonly source: Source<T>
  /** Whether to continue until the run ends. */
  readonly follow: boolean
}

export const followPieces = <T>(context: StreamContext, log: LogSource<T>): AsyncGenerator<T> =>
  log.follow ? followUntilEnd(context, log) : readToEnd(log.source, context.signal)

async function* readToEnd<T>(source: Source<T>, signal: AbortSignal): AsyncGenerator<T> {
  for (let piece = await source.next(); piece !== null && !signal.aborted; piece = await source.next()) yield piece
}

async function* followUntilEnd<T>(context: StreamContext, { run, path, source }: LogSource<T>): AsyncGenerator<T> {
  const { store, signal } = context
  const clock = makeAlarmClock()
  const end = makeEndCheck(context, run)
  signal.addEventListener('abort', clock.ring)
  const file = watchFile(path, clock.ring)
  const watcher = await store.watch(() => {
    end.ask()
    clock.ring()
  })
  try {
    for (;;) {
      const over = await end.isOver()
      yield* readToEnd(source, signal)
      if (over || signal.aborted) return
      await clock.sleep(FILE_POLL_MS)
    }
  } finally {
    signal.removeEventListener('abort', clock.ring)
    file.stop()
    await watcher.stop()
  }
}

/**
 * Makes a function that checks whether the run has ended. It reads the store after a change and at intervals, not for
 * every line.
 */
function makeEndCheck(context: StreamContext, run: RunId): { ask(): void; isOver(): Promise<boolean> } {
  let askAt = 0
  return {
    ask: () => (askAt = 0),
    isOver: async () => {
      if (performance.now() < askAt) return false
      askAt = performance.now() + STORE_POLL_MS
      const found = await nullIfUnavailable(context, async () => ({ run: await context.store.run(run) }))
      return found !== null && found.run?.endedAt !== null
    },
  }
}

/**
 * Watches the folder of a file, because the file might not exist yet. If watching is not possible, polling is enough.
 */
function watchFile(path: string, callback: () => void): { stop(): void } {
  try {
    const watcher = watch(dirname(path), { persistent: false }, (_, name) => {
      if (name === null || name === basename(path)) callback()
    })
    watcher.on('error', () => watcher.close())
    return { stop: () => watcher.close() }
  } catch {
    return { stop: () => {} }
  }
}
