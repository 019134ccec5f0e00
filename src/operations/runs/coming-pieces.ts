/**
 * What is in the log of a run, and what comes:
 *   look whether the run is over → give what was printed → over: end · else wait for the file or the store → look …
 * In this order whatever an agent printed before its end is given.
 */
import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { RunId } from '../../core/ids.ts'
import { makeAlarmClock } from '../../util/alarm-clock.ts'
import { whenAnswered } from '../boards/follow.ts'
import type { StreamContext } from '../shared/operation.ts'

/** Changes are heard; these are for those that are not. */
const LOOK_MS = 250
const ASK_MS = 2_000

/** Something that is read piece by piece; null when that is all for now. */
interface Source<T> {
  next(): Promise<T | null>
}

export interface LogSource<T> {
  readonly run: RunId
  readonly path: string
  readonly source: Source<T>
  /** Whether it goes on until the run ends. */
  readonly follow: boolean
}

export const comingPieces = <T>(context: StreamContext, log: LogSource<T>): AsyncGenerator<T> =>
  log.follow ? followed(context, log) : present(log.source, context.signal)

async function* present<T>(source: Source<T>, signal: AbortSignal): AsyncGenerator<T> {
  for (let piece = await source.next(); piece !== null && !signal.aborted; piece = await source.next()) yield piece
}

async function* followed<T>(context: StreamContext, { run, path, source }: LogSource<T>): AsyncGenerator<T> {
  const { store, signal } = context
  const clock = makeAlarmClock()
  const end = makeEnd(context, run)
  signal.addEventListener('abort', clock.ring)
  const file = listenTo(path, clock.ring)
  const watcher = await store.watch(() => {
    end.ask()
    clock.ring()
  })
  try {
    for (;;) {
      const over = await end.isOver()
      yield* present(source, signal)
      if (over || signal.aborted) return
      await clock.sleep(LOOK_MS)
    }
  } finally {
    signal.removeEventListener('abort', clock.ring)
    file.stop()
    await watcher.stop()
  }
}

/** Whether the run is over. The store is asked when it changed, and now and then; not for every line. */
function makeEnd(context: StreamContext, run: RunId): { ask(): void; isOver(): Promise<boolean> } {
  let askAt = 0
  return {
    ask: () => (askAt = 0),
    isOver: async () => {
      if (performance.now() < askAt) return false
      askAt = performance.now() + ASK_MS
      const found = await whenAnswered(context, async () => ({ run: await context.store.run(run) }))
      return found !== null && found.run?.endedAt !== null
    },
  }
}

/** By its folder: the file may not be there yet. Where nothing can be heard, looking now and then has to do. */
function listenTo(path: string, callback: () => void): { stop(): void } {
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
