import { BoardError, isTemporary } from '../../../core/errors.ts'
import type { BoardEvent } from '../../../core/event.ts'
import { OUTCOMES } from '../../../core/vocabulary.ts'
import type { DispatchSignals } from '../../../operations/machine/dispatch-port.ts'
import type { RunningServer } from '../../../operations/machine/server-port.ts'
import { requireBoard } from '../../../operations/boards/require-board.ts'
import type { BackgroundLoop } from '../../../planning/auto/background-loop.ts'
import { hostIfSupported } from '../../../processes/identity.ts'
import type { FeedPage, Store } from '../../../storage/store.ts'
import { CardTitles } from '../../card-titles.ts'
import type { Invocation } from '../../invocation.ts'
import { oneLine } from '../../output/escape.ts'
import { file, line, toggle, whole } from '../../flags.ts'
import { serve } from '../../serve.ts'
import { startLines } from '../../start-lines.ts'
import { cutTo } from '../../render/width.ts'
import { defineCommand } from '../../command.ts'
import { watchDataFolder } from '../../watch-data-folder.ts'
import type { FolderWatch } from '../../watch-data-folder.ts'

export const command = defineCommand({
  name: 'up',
  group: 'start',
  operation: null,
  summary: 'Run agents on ready cards until you press Ctrl-C.',
  makesHome: true,
  longRunning: true,
  flags: {
    drain: toggle('on Ctrl-C, wait for runs to finish; press again to quit'),
    awake: toggle('keep the machine awake while cards run'),
    noDispatch: toggle('only serve and show events, start no cards'),
    port: whole({ min: 0 }, 'port of the HTTP server (default: 6878; 0: any free port)'),
    host: line('<address>', 'address of the HTTP server (default: 127.0.0.1)'),
    noOpen: toggle('do not open the browser'),
    noLink: toggle('print the address without a sign-in link, for logs'),
    cert: file('TLS certificate, for access from other machines'),
    key: file('key of the certificate'),
    insecureHttp: toggle('allow access from other machines without TLS'),
  },
  aliases: ['start'],
  examples: ['muster up', 'muster up --port 8080 --no-open', 'muster up --drain', 'muster up --awake'],
  run: async (cli, { drain, awake, noDispatch, ...flags }) => {
    const { store } = await cli.board('write')
    if (cli.typedBoard !== null) await requireBoard(store, cli.typedBoard)
    const printer = await startEventPrinter(cli, store)
    const folder = watchDataFolder(cli.options)
    let server: RunningServer | null = null
    try {
      server = await serve(cli, store, flags)
      await (noDispatch
        ? showEvents(cli, printer, folder)
        : dispatchUntilInterrupted(cli, { store, folder, drains: drain, awake }))
      await server?.stop()
      await printer.stop()
      cli.notice(await stoppedText(store))
    } finally {
      await server?.stop()
      folder.stop()
      await printer.stop()
    }
  },
})

async function stoppedText(store: Store): Promise<string> {
  const live = (await store.openRuns(null)).filter(({ kind }) => kind === 'agent').length
  return live === 0 ? 'Stopped.' : `Stopped. ${live} ${live === 1 ? 'run continues' : 'runs continue'}.`
}

/** Prints events until Ctrl-C, or until the store cannot be read. */
async function showEvents(cli: Invocation, { failed }: EventPrinter, { lost }: FolderWatch): Promise<void> {
  // This timer keeps the process alive, because the watcher of the store does not.
  const awake = setInterval(() => {}, 60_000)
  let forget = (): void => {}
  const interrupted = new Promise<void>((resolve) => {
    forget = cli.world.onInterrupt(() => resolve())
  })
  cli.notice('Showing events only: no cards are started here. Press Ctrl-C to stop.')
  try {
    const error = await Promise.race([interrupted, failed, lost])
    if (error !== undefined) throw error
  } finally {
    forget()
    clearInterval(awake)
  }
}

interface UpSignals extends DispatchSignals {
  readonly stopNow: () => void
  readonly forget: () => void
}

/** The effect of Ctrl-C. With --drain, the first Ctrl-C keeps new cards from starting, and the second Ctrl-C quits. */
function signalsOf(cli: Invocation, drains: boolean): UpSignals {
  const [stop, drain] = [new AbortController(), new AbortController()]
  let forget = cli.world.onInterrupt(() => {
    forget()
    // A pass may never end if a server does not answer. In that case, another Ctrl-C ends the process.
    forget = cli.world.onInterrupt(() => (stop.signal.aborted ? cli.world.quit?.() : stop.abort()))
    if (!drains) return stop.abort()
    cli.notice('No new cards start. Waiting for runs to finish; press Ctrl-C again to quit.')
    return drain.abort()
  })
  return { stop: stop.signal, drain: drain.signal, stopNow: () => stop.abort(), forget: () => forget() }
}

/** The planner of boards with the setting `autoDecompose`, and the judge of tournaments, beside the dispatcher. */
async function startPlanning(cli: Invocation, store: Store): Promise<readonly BackgroundLoop[]> {
  const [{ startAutoPlanner }, { startTournamentJudge }] = await Promise.all([
    import('../../../planning/auto/auto-planner.ts'),
    import('../../../planning/tournament/judge-tournaments.ts'),
  ])
  const { home, judgeRetryMs: retryMs } = cli.options
  const onNotice = (text: string): void => cli.notice(oneLine(text))
  const context = { store, home, env: cli.world.env, onlyBoard: cli.typedBoard, onNotice }
  return Promise.all([startAutoPlanner(context), startTournamentJudge({ ...context, retryMs })])
}

interface UpContext {
  readonly store: Store
  readonly folder: FolderWatch
  readonly drains: boolean
  readonly awake: boolean
}

async function dispatchUntilInterrupted(cli: Invocation, { store, folder, drains, awake }: UpContext): Promise<void> {
  const { world, options } = cli
  const { forget, stopNow, ...signals } = signalsOf(cli, drains)
  const port = await world.dispatcher()
  const keeper = awake ? await startKeeper(cli, store) : null
  let troubled = false
  const loss: { error: BoardError | null } = { error: null }
  void folder.lost.then((error) => {
    loss.error = error
    stopNow()
  })
  let planning = null as Promise<readonly BackgroundLoop[]> | null
  try {
    const started = await startLines(cli, store, drains)
    await port.run(
      { store, options, onlyBoard: cli.typedBoard },
      {
        onStandby: (why) =>
          cli.notice(
            `${why.message} Waiting to take over. Press Ctrl-C to stop waiting; the other process runs the cards.`,
          ),
        onLead: () => {
          cli.notice(started.join('\n'))
          planning ??= startPlanning(cli, store)
        },
        onPass: ({ warnings }) => {
          for (const warning of warnings) cli.notice(warning)
          if (troubled) cli.notice('Muster works again.')
          troubled = false
          keeper?.refresh()
        },
        onTrouble: (error) => {
          if (!troubled) cli.notice(`${oneLine(error.message)} Retrying.`)
          troubled = true
        },
      },
      signals,
    )
  } catch (error) {
    // If the data folder is lost, the last pass fails too. The message is about the lost folder, because it is the
    // cause.
    throw loss.error ?? error
  } finally {
    keeper?.stop()
    await planning?.then((loops) => Promise.all(loops.map((loop) => loop.stop()))).catch(() => {})
    forget()
  }
  if (loss.error !== null) throw loss.error
}

/**
 * Keeps the machine awake while agents run on it. Every start and end of a run leads to a pass, which calls `refresh`.
 */
async function startKeeper(cli: Invocation, store: Store): Promise<{ refresh(): void; stop(): void }> {
  const { keepAwake } = await import('../../../processes/keep-awake.ts')
  const machine = hostIfSupported()?.machine.id ?? null
  const keeper = keepAwake({
    platform: process.platform,
    env: cli.world.env,
    onFault: (why) => cli.notice(`The machine may go to sleep: ${oneLine(why)}. Muster continues.`),
  })
  let isOver = false
  const refresh = async (): Promise<void> => {
    const live = (await store.openRuns(machine)).some(({ kind }) => kind === 'agent')
    if (!isOver) await keeper.update(live)
  }
  const stop = (): void => {
    isOver = true
    keeper.stop()
  }
  // An error is ignored, because the dispatcher reports a store that does not respond.
  return { refresh: () => void refresh().catch(() => {}), stop }
}

/** The kinds of events to print: starts, ends and pauses. */
const PRINTED_KINDS: ReadonlySet<string> = new Set(['claimed', 'paused', 'resumed', 'block_loop_detected', ...OUTCOMES])

interface EventPrinter {
  /**
   * Rejects if the store cannot be read. After a temporary error, this promise stays pending, because the next change
   * of the store leads to another read.
   */
  readonly failed: Promise<never>
  stop(): Promise<void>
}

/**
 * Whether to print an event. With --board, events of other boards are hidden. Events without a card, such as a paused
 * account, are always printed.
 */
const isShown = ({ typedBoard }: Invocation, { kind, board, taskId }: BoardEvent): boolean =>
  PRINTED_KINDS.has(kind) && (typedBoard === null || taskId === null || board === typedBoard)

/**
 * Prints events. If the output cannot be written, an error is reported once and `muster up` continues, because cards do
 * not need the output.
 */
function printerOf(cli: Invocation): (event: BoardEvent, title: string | null) => void {
  let canPrint = true
  return (event, title) => {
    try {
      printEvent(cli, event, title)
      canPrint = true
    } catch (error) {
      if (!(error instanceof BoardError) || error.code !== 'output_failed') throw error
      if (canPrint) cli.notice(`${error.message} Events are hidden until the output works again; cards still run.`)
      canPrint = false
    }
  }
}

/** Prints a line for each new event. */
async function startEventPrinter(cli: Invocation, store: Store): Promise<EventPrinter> {
  let { cursor } = await store.feed(null)
  const titles = CardTitles.in(store)
  let reading: Promise<void> = Promise.resolve()
  let stopped = false
  const print = printerOf(cli)
  let fail = (_error: unknown): void => {}
  const failed = new Promise<never>((_, reject) => (fail = reject))
  // This promise may have no other handler. The dispatcher gets the same error and reports it.
  failed.catch(() => {})
  const read = async (): Promise<void> => {
    try {
      let page: FeedPage
      do {
        page = await store.feed(cursor)
        cursor = page.cursor
        for (const event of page.events) if (isShown(cli, event)) print(event, await titles.titleFor(event))
      } while (page.more)
    } catch (error) {
      // After a temporary error, the cursor does not move. So the next read misses no event.
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

const EVENT_NAMES: Partial<Record<BoardEvent['kind'], string>> = {
  claimed: 'started',
  block_loop_detected: 'to triage',
}

const TITLE_MAX = 40

function printEvent(cli: Invocation, event: BoardEvent, title: string | null): void {
  const time = new Date(event.createdAt).toTimeString().slice(0, 8)
  const label = EVENT_NAMES[event.kind] ?? event.kind
  const { agent, summary, error, reason, kind, name } = event.data
  const about = event.taskId ?? [kind, name].filter((part) => typeof part === 'string').join(' ')
  const text = [agent, error, reason, summary].find((value) => typeof value === 'string' && value !== '')
  const named = `${oneLine(about)}${title === null ? '' : `  ${cutTo(oneLine(title), TITLE_MAX)}`}`
  const line = `${time}  ${label.padEnd(12)}  ${named}  ${typeof text === 'string' ? oneLine(text).slice(0, 120) : ''}`
  cli.world.stdout.write(cli.json ? cli.jsonLine(event) : `${line.trimEnd()}\n`)
}
