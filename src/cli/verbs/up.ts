import type { BoardEvent } from '../../core/event.ts'
import { OUTCOMES } from '../../core/vocabulary.ts'
import type { Store } from '../../storage/store.ts'
import type { Call } from '../call.ts'
import { oneLine } from '../escape.ts'
import { defineVerb } from '../verb.ts'

export const verb = defineVerb({
  group: 'start',
  operation: null,
  summary: 'Dispatch until you press Ctrl-C.',
  makesHome: true,
  examples: ['muster up'],
  run: async (call) => dispatchUntilInterrupted(call, (await call.board('write')).store),
})

async function dispatchUntilInterrupted(call: Call, store: Store): Promise<void> {
  const { world, options } = call
  const stop = new AbortController()
  const forget = world.onInterrupt(() => stop.abort())
  const diary = await keepDiary(call, store)
  const port = await world.dispatcher()
  let troubled = false
  try {
    await port.run(
      { store, options, onlyBoard: null },
      {
        onStandby: (why) => call.notice(`${why.message} Standing by.`),
        onLead: () => call.notice(`Dispatching from ${options.home}. Ctrl-C stops; runs go on by themselves.`),
        onPass: () => {
          if (troubled) call.notice('The store answers again.')
          troubled = false
        },
        onTrouble: (error) => {
          if (!troubled) call.notice(`${oneLine(error.message)} Trying on.`)
          troubled = true
        },
      },
      stop.signal,
    )
    await diary.stop()
    const live = (await store.openRuns(null)).filter(({ kind }) => kind === 'agent').length
    call.notice(live === 0 ? 'Stopped.' : `Stopped; ${live} ${live === 1 ? 'run goes' : 'runs go'} on.`)
  } finally {
    forget()
    await diary.stop()
  }
}

/** What a person at the terminal wants to see pass by: what starts, and how it ends. */
const TOLD: ReadonlySet<string> = new Set(['claimed', ...OUTCOMES])

/** Follows the feed from now on, one line per event. */
async function keepDiary(call: Call, store: Store): Promise<{ stop(): Promise<void> }> {
  let { cursor } = await store.feed(null)
  let reading: Promise<void> = Promise.resolve()
  let stopped = false
  const read = async (): Promise<void> => {
    try {
      const page = await store.feed(cursor)
      cursor = page.cursor
      for (const event of page.events) if (TOLD.has(event.kind)) tell(call, event)
    } catch {
      // The dispatcher tells of a store that does not answer; nothing is missed, the cursor stays.
    }
  }
  const watcher = await store.watch(() => {
    if (!stopped) reading = reading.then(read)
  })
  return {
    async stop() {
      if (stopped) return
      stopped = true
      await watcher.stop()
      await reading.then(read)
    },
  }
}

function tell(call: Call, event: BoardEvent): void {
  const time = new Date(event.createdAt).toTimeString().slice(0, 8)
  const word = event.kind === 'claimed' ? 'started' : event.kind
  const { agent, summary, error, reason } = event.data
  const said = [agent, error, reason, summary].find((value) => typeof value === 'string' && value !== '')
  const line = `${time}  ${word.padEnd(12)}  ${event.taskId ?? ''}  ${typeof said === 'string' ? oneLine(said).slice(0, 120) : ''}`
  call.world.stdout.write(`${call.json ? JSON.stringify(event) : line.trimEnd()}\n`)
}
