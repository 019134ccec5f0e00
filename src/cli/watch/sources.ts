/**
 * Reads the data for the screen. The state decides what is read: the cards that match the filter, the open card, the
 * open log. A source reads again after an event or a change of the state.
 */
import { BoardError } from '../../core/errors.ts'
import type { BoardEvent } from '../../core/event.ts'
import { listPauses } from '../../operations/agents/list-pauses.ts'
import { explainTask } from '../../operations/cards/explain-task.ts'
import { locateResults } from '../../operations/cards/locate-results.ts'
import { showTask } from '../../operations/cards/show-task.ts'
import { SHOWN, showColumns } from '../../operations/boards/show-columns.ts'
import type { ColumnsView } from '../../operations/boards/show-columns.ts'
import { readTranscript } from '../../operations/runs/read-transcript.ts'
import type { Invocation } from '../invocation.ts'
import { makeQuieter } from '../../harnesses/stream/quiet-transcript.ts'
import { PASSAGES_KEPT } from './log-lines.ts'
import type { News } from './receive.ts'
import { makeRepeater } from './repeater.ts'
import type { CardContent, WatchState } from './state.ts'
import { pageOf } from './state.ts'

/** The filter that the flags of the command line set. */
export interface WatchedCards {
  readonly all: boolean
  readonly assignee?: string
  readonly tenant?: string
}

interface Host {
  readonly watched: WatchedCards
  readonly signal: AbortSignal
  readonly tell: (news: News) => void
  readonly fail: (error: unknown) => void
}

/** The number of cards to read for each column. More cards are read when the selection comes near the end. */
const CARDS = 50
const CARDS_MOST = 500
/** The minimum time between two reads of the board, because on a busy board every read finds a change. */
const BOARD_MS = 250
/** The time between two reads of the board while cards run. New output is not an event, so only a read shows it. */
const OUTPUT_MS = 1_000
const CARD_MS = 500

export interface Sources {
  /** Starts to read what this state shows and the previous state did not. */
  want(state: WatchState): void
  /** Reads again after an event. Null means that anything may have changed. */
  refresh(event: Pick<BoardEvent, 'taskId' | 'kind'> | null): void
  /** Returns the board after the first read. Returns null if the screen ends first. */
  firstBoard(): Promise<ColumnsView | null>
  /** How far the clock of the store is ahead of the clock of this machine. */
  skewMs(): number
  end(): Promise<void>
}

export function openSources(cli: Invocation, host: Host): Sources {
  const { tell, signal } = host
  let wanted = wantedBy(null)
  let isRunning = false
  let skewMs = 0
  let first: (view: ColumnsView | null) => void
  const firstBoard = new Promise<ColumnsView | null>((resolve) => (first = resolve))
  signal.addEventListener('abort', () => first(null))

  const board = makeRepeater({ ...host, everyMs: BOARD_MS, idleMs: () => (isRunning ? OUTPUT_MS : null) }, async () => {
    const { filter, limit } = wanted
    const view = await readBoard(cli, host.watched, { filter, limit })
    if (filter !== wanted.filter) return
    isRunning = view.columns.some(({ cards }) => cards.some(({ run }) => run !== null))
    skewMs = view.now - cli.world.now()
    tell({ kind: 'board', view })
    const pauses = await cli.ask(listPauses, {})
    tell({ kind: 'paused', boards: pauses.flatMap(({ kind, name }) => (kind === 'board' ? [name] : [])) })
    first(view)
  })
  const card = makeRepeater({ ...host, everyMs: CARD_MS, idleMs: () => null }, async () => {
    if (wanted.card === null) return
    const content = await readCard(cli, wanted.card)
    if (content !== null) tell({ kind: 'card', content })
  })
  let log: { readonly card: string; readonly stop: AbortController; isOver: boolean } | null = null
  const follow = (id: string | null): void => {
    log?.stop.abort()
    if (id === null) {
      log = null
      return
    }
    const own = { card: id, stop: new AbortController(), isOver: false }
    log = own
    tell({ kind: 'log_begins', card: id })
    followLog(cli, { card: id, until: AbortSignal.any([signal, own.stop.signal]), tell })
      .catch((error: unknown) => report(error, host))
      .finally(() => (own.isOver = true))
  }
  board.ring()
  return {
    want: (state) => {
      const before = wanted
      wanted = wantedBy(state)
      if (wanted.filter !== before.filter || wanted.limit > before.limit) board.ring()
      if (wanted.card !== null && wanted.card !== before.card) card.ring()
      if (wanted.log !== before.log) follow(wanted.log)
    },
    refresh: (event) => {
      board.ring()
      // An event of another card may change why this card waits.
      if (wanted.card !== null) card.ring()
      if (log?.isOver && (event === null || (event.kind === 'claimed' && event.taskId === log.card))) follow(log.card)
    },
    firstBoard: () => firstBoard,
    skewMs: () => skewMs,
    end: async () => {
      follow(null)
      await Promise.all([board.end(), card.end()])
    },
  }
}

interface Wanted {
  readonly filter: string
  readonly limit: number
  readonly card: string | null
  readonly log: string | null
}

function wantedBy(state: WatchState | null): Wanted {
  const page = state === null ? null : pageOf(state)
  const index = state?.selected?.index ?? 0
  return {
    filter: state?.filter ?? '',
    limit: Math.min(CARDS_MOST, CARDS * (1 + Math.floor((index + CARDS / 2) / CARDS))),
    card: state?.pages.findLast(({ kind }) => kind === 'card') === undefined ? null : cardIn(state),
    log: page?.kind === 'log' ? page.card : null,
  }
}

function cardIn({ pages }: WatchState): string | null {
  const page = pages.findLast(({ kind }) => kind === 'card')
  return page?.kind === 'card' ? page.card : null
}

function readBoard(
  cli: Invocation,
  { all, ...chosen }: WatchedCards,
  { filter, limit }: Pick<Wanted, 'filter' | 'limit'>,
): Promise<ColumnsView> {
  return cli.ask(showColumns, { ...chosen, all, statuses: SHOWN, limit, ...(filter !== '' && { text: filter }) })
}

/** Reads the card, why it waits, and where its files are. Null means that the card was deleted. */
async function readCard(cli: Invocation, task: string): Promise<CardContent | null> {
  const nullIfRefused = (error: unknown): null => {
    if (error instanceof BoardError && !error.retryable) return null
    throw error
  }
  const details = await cli.ask(showTask, { task }).catch(nullIfRefused)
  if (details === null) return null
  const [why, results] = await Promise.all([
    cli.ask(explainTask, { task }).catch(nullIfRefused),
    cli.ask(locateResults, { task }).catch(nullIfRefused),
  ])
  return { task: details, reasons: why?.reasons ?? null, results }
}

interface Following {
  readonly card: string
  readonly until: AbortSignal
  readonly tell: Host['tell']
}

async function followLog(cli: Invocation, { card, until, tell }: Following): Promise<void> {
  const quieter = makeQuieter()
  const asked = { task: card, follow: true, tail: { lines: PASSAGES_KEPT } }
  const silently = { until, onTrouble: () => {}, onWait: () => {} }
  for await (const passage of cli.follow(readTranscript, asked, silently)) {
    const passages = quieter.take(passage)
    if (passages.length > 0) tell({ kind: 'log', card, passages })
  }
  if (until.aborted) return
  tell({ kind: 'log', card, passages: quieter.end() })
  tell({ kind: 'log_ends', card })
}

/** Shows a temporary error. Any other error ends the screen. */
function report(error: unknown, { tell, fail }: Pick<Host, 'tell' | 'fail'>): void {
  if (error instanceof BoardError) tell({ kind: 'notice', notice: { kind: 'failed', text: error.message } })
  else fail(error)
}
