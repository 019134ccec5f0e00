/** `watch` on a terminal: redraws the board after every change, and every second because ages grow. */
import { setTimeout as sleep } from 'node:timers/promises'
import { BoardError } from '../core/errors.ts'
import type { Followed } from '../operations/boards/follow.ts'
import { lastEvents, overviewOf } from '../operations/boards/overview.ts'
import { makeAlarmClock } from '../util/alarm-clock.ts'
import { chooseEvents } from '../operations/boards/event-filter.ts'
import type { EventFilter } from '../operations/boards/event-filter.ts'
import { CardTitles } from './card-titles.ts'
import type { Invocation } from './invocation.ts'
import { oneLine } from './output/escape.ts'
import { drawBoard } from './render/board-view.ts'
import type { TitledEvent } from './render/board-view.ts'
import { enterScreen } from './output/screen.ts'
import type { Screen } from './output/screen.ts'
import type { Terminal } from './output/terminal.ts'

/** Faster redraws are not visible, and counting the cards of a busy board takes time. */
const FRAME_MS = 250
const CLOCK_MS = 1000
const EVENTS_KEPT = 100

export async function watchOnScreen(
  cli: Invocation,
  terminal: Terminal,
  { chosen, follow }: { chosen: EventFilter; follow: () => AsyncIterable<Followed> },
): Promise<void> {
  const { store, board } = await cli.board('read')
  const titles = new CardTitles(store)
  const withTitle = async <E extends Parameters<CardTitles['titleFor']>[0]>(event: E) => ({
    ...event,
    title: await titles.titleFor(event),
  })
  const latest = await chooseEvents(store, await lastEvents(store, board, EVENTS_KEPT), chosen)
  const events: TitledEvent[] = await Promise.all(latest.map(withTitle))
  const screen = enterScreen(cli.world)
  const picture = async () => ({ ...(await overviewOf(store, board, chosen)), board, events })
  const redrawer = makeRedrawer(async () => drawBoard(await picture(), terminal), screen)
  const forgetResize = terminal.onResize?.(() => redrawer.draw())
  try {
    for await (const event of follow()) {
      if (event.kind !== 'resync') events.push(await withTitle(event))
      events.splice(0, events.length - EVENTS_KEPT)
      redrawer.draw()
    }
  } finally {
    forgetResize?.()
    await redrawer.stop()
    screen.leave()
  }
}

interface Redrawer {
  draw(): void
  stop(): Promise<void>
}

/** Draws on request and every second, one drawing at a time. */
function makeRedrawer(paint: () => Promise<readonly string[]>, screen: Screen): Redrawer {
  const clock = makeAlarmClock()
  const stopped = new AbortController()
  const { signal } = stopped
  const work = async (): Promise<void> => {
    while (!signal.aborted) {
      await paintOnce(paint, screen)
      await sleep(FRAME_MS, undefined, { signal }).catch(() => undefined)
      if (!signal.aborted) await clock.sleep(CLOCK_MS - FRAME_MS)
    }
  }
  const done = work()
  return {
    draw: () => clock.ring(),
    stop: () => {
      stopped.abort()
      clock.ring()
      return done
    },
  }
}

/** If the store does not answer, the last screen stays; the event stream reports the error. */
async function paintOnce(paint: () => Promise<readonly string[]>, screen: Screen): Promise<void> {
  try {
    screen.draw(await paint())
  } catch (error) {
    if (error instanceof BoardError && error.retryable) return
    screen.draw([`muster: ${oneLine(error instanceof Error ? error.message : String(error))}`])
  }
}
