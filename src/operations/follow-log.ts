/**
 * The output of a run as it comes:
 *   look whether the run is over → give what was printed → over: end · else wait for the file or the store → look …
 * In this order whatever an agent printed before its end is given.
 */
import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { RunId } from '../core/ids.ts'
import { makeAlarmClock } from '../util/alarm-clock.ts'
import { findLog } from './find-log.ts'
import { whenAnswered } from './follow.ts'
import { logTexts } from './log-texts.ts'
import type { LogTexts } from './log-texts.ts'
import { defineOperation } from './operation.ts'
import type { StreamContext } from './operation.ts'

/** Changes are heard; these are for those that are not. */
const LOOK_MS = 250
const ASK_MS = 2_000

export const followLog = defineOperation({
  name: 'follow-log',
  kind: 'stream',
  actor: 'person',
  scope: 'card',
  summary: 'Print what an agent prints as it comes, until its run ends.',
  schemas: () => import('./follow-log.schema.ts'),
  run: async function* (context, { tail, follow, ...asked }) {
    const { run, path } = await findLog(context.store, asked, context.options)
    const texts = await logTexts(path, tail)
    for await (const text of follow ? comingTexts(context, run.id, { path, texts }) : present(texts, context.signal))
      if (text !== '') yield { run: run.id, text }
  },
})

async function* present(texts: LogTexts, signal: AbortSignal): AsyncGenerator<string> {
  while (!signal.aborted) {
    const text = await texts.next()
    if (text === null) break
    yield text
  }
  yield texts.end()
}

async function* comingTexts(
  context: StreamContext,
  run: RunId,
  { path, texts }: { path: string; texts: LogTexts },
): AsyncGenerator<string> {
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
      for (let text = await texts.next(); text !== null && !signal.aborted; text = await texts.next()) yield text
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
