import { isTemporary } from '../../../core/errors.ts'
import type { BoardEvent } from '../../../core/event.ts'
import { OUTCOMES } from '../../../core/vocabulary.ts'
import type { DispatchSignals } from '../../../operations/machine/dispatch-port.ts'
import { requireBoard } from '../../../operations/boards/require-board.ts'
import type { FeedPage, Store } from '../../../storage/store.ts'
import type { Invocation } from '../../invocation.ts'
import { oneLine } from '../../escape.ts'
import { toggle } from '../../flags.ts'
import { limitLines } from '../../render/limits.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  name: 'up',
  group: 'start',
  operation: null,
  summary: 'Dispatch until you press Ctrl-C.',
  makesHome: true,
  longRunning: true,
  flags: {
    drain: toggle('at Ctrl-C wait for live runs; once more stops at once'),
    noDispatch: toggle('only show what happens; start nothing'),
  },
  notYet: ['port', 'host', 'no-open'],
  examples: ['muster up', 'muster up --drain'],
  run: async (cli, { drain, noDispatch }) => {
    const { store } = await cli.board('write')
    if (cli.typedBoard !== null) await requireBoard(store, cli.typedBoard)
    const diary = await keepDiary(cli, store)
    try {
      await (noDispatch ? lookOn(cli, diary.failed) : dispatchUntilInterrupted(cli, store, drain))
      await diary.stop()
      cli.notice(await farewell(store))
    } finally {
      await diary.stop()
    }
  },
})

async function farewell(store: Store): Promise<string> {
  const live = (await store.openRuns(null)).filter(({ kind }) => kind === 'agent').length
  return live === 0 ? 'Stopped.' : `Stopped; ${live} ${live === 1 ? 'run goes' : 'runs go'} on.`
}

/** Until it is told to stop, or nothing can be seen any more. */
async function lookOn(cli: Invocation, failed: Promise<never>): Promise<void> {
  // What watches the store keeps no process alive.
  const awake = setInterval(() => {}, 60_000)
  let forget = (): void => {}
  const interrupted = new Promise<void>((resolve) => {
    forget = cli.world.onInterrupt(resolve)
  })
  cli.notice('Showing events only: no cards are started here. Press Ctrl-C to stop.')
  try {
    await Promise.race([interrupted, failed])
  } finally {
    forget()
    clearInterval(awake)
  }
}

/** CommandOutput to drain, the first signal only keeps anything new from starting; the next one stops. */
function signalsOf(cli: Invocation, drains: boolean): DispatchSignals & { readonly forget: () => void } {
  const [stop, drain] = [new AbortController(), new AbortController()]
  let forget = cli.world.onInterrupt(() => {
    forget()
    forget = cli.world.onInterrupt(() => stop.abort())
    if (!drains) return stop.abort()
    cli.notice('Starting nothing more; waiting for live runs. Once more stops at once.')
    return drain.abort()
  })
  return { stop: stop.signal, drain: drain.signal, forget: () => forget() }
}

async function dispatchUntilInterrupted(cli: Invocation, store: Store, drains: boolean): Promise<void> {
  const { world, options } = cli
  const { forget, ...signals } = signalsOf(cli, drains)
  const port = await world.dispatcher()
  let troubled = false
  try {
    for (const line of limitLines(options, await store.boards())) cli.notice(line)
    await port.run(
      { store, options, onlyBoard: cli.typedBoard },
      {
        onStandby: (why) => cli.notice(`${why.message} Standing by.`),
        onLead: () => cli.notice(startedLine(cli, drains)),
        onPass: ({ warnings }) => {
          for (const warning of warnings) cli.notice(warning)
          if (troubled) cli.notice('All is well again.')
          troubled = false
        },
        onTrouble: (error) => {
          if (!troubled) cli.notice(`${oneLine(error.message)} Retrying.`)
          troubled = true
        },
      },
      signals,
    )
  } finally {
    forget()
  }
}

/** A machine has one dispatcher: with --board, the cards of other boards wait. */
function startedLine({ options: { home }, typedBoard }: Invocation, drains: boolean): string {
  const which = typedBoard === null ? '' : ` of board ${typedBoard} only`
  const onStop = drains ? 'Running agents finish first; press it again to quit.' : 'Running agents continue.'
  return `Running cards${which} from ${home}. Press Ctrl-C to stop. ${onStop}`
}

/** What a person at the terminal wants to see pass by: what starts, and how it ends. */
const TOLD: ReadonlySet<string> = new Set(['claimed', 'paused', 'resumed', 'block_loop_detected', ...OUTCOMES])

interface Diary {
  /** Rejects when the store cannot be read any more. What passes is waited for: the dispatcher tells of it. */
  readonly failed: Promise<never>
  stop(): Promise<void>
}

/** With --board, events of other boards are hidden; events about no card, such as a paused account, are shown. */
const isShown = ({ typedBoard }: Invocation, { kind, board, taskId }: BoardEvent): boolean =>
  TOLD.has(kind) && (typedBoard === null || taskId === null || board === typedBoard)

/** Follows the feed from now on, one line per event. */
async function keepDiary(cli: Invocation, store: Store): Promise<Diary> {
  let { cursor } = await store.feed(null)
  let reading: Promise<void> = Promise.resolve()
  let stopped = false
  let fail = (_error: unknown): void => {}
  const failed = new Promise<never>((_, reject) => (fail = reject))
  // Whoever dispatches meets the same fault, and reports it.
  failed.catch(() => {})
  const read = async (): Promise<void> => {
    try {
      let page: FeedPage
      do {
        page = await store.feed(cursor)
        cursor = page.cursor
        for (const event of page.events) if (isShown(cli, event)) tell(cli, event)
      } while (page.more)
    } catch (error) {
      // Nothing is missed, the cursor stays.
      if (!isTemporary(error)) fail(error)
    }
  }
  const watcher = await store.watch(() => {
    if (!stopped) reading = reading.then(read)
  })
  return {
    failed,
    async stop() {
      if (stopped) return
      stopped = true
      await watcher.stop()
      await reading.then(read)
    },
  }
}

const CALLED: Partial<Record<BoardEvent['kind'], string>> = { claimed: 'started', block_loop_detected: 'to triage' }

function tell(cli: Invocation, event: BoardEvent): void {
  const time = new Date(event.createdAt).toTimeString().slice(0, 8)
  const word = CALLED[event.kind] ?? event.kind
  const { agent, summary, error, reason, kind, name } = event.data
  const about = event.taskId ?? [kind, name].filter((part) => typeof part === 'string').join(' ')
  const said = [agent, error, reason, summary].find((value) => typeof value === 'string' && value !== '')
  const line = `${time}  ${word.padEnd(12)}  ${oneLine(about)}  ${typeof said === 'string' ? oneLine(said).slice(0, 120) : ''}`
  cli.world.stdout.write(`${cli.json ? JSON.stringify(event) : line.trimEnd()}\n`)
}
