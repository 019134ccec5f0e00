/** `watch` on a terminal: the board, drawn anew after every change and every second, for times go by. */
import { setTimeout as sleep } from 'node:timers/promises'
import { BoardError } from '../core/errors.ts'
import type { BoardEvent } from '../core/event.ts'
import type { Followed } from '../operations/boards/follow.ts'
import { lastEvents, overviewOf } from '../operations/boards/overview.ts'
import { makeAlarmClock } from '../util/alarm-clock.ts'
import { chooseEvents } from '../operations/boards/watch-board.ts'
import type { Chosen } from '../operations/boards/watch-board.ts'
import type { Invocation } from './invocation.ts'
import { oneLine } from './escape.ts'
import { boardView } from './render/board-view.ts'
import { enterScreen } from './screen.ts'
import type { Screen } from './screen.ts'
import type { Terminal } from './terminal.ts'

/** No eye follows more than this, and a busy board would spend its time counting. */
const FRAME_MS = 250
const CLOCK_MS = 1000
const EVENTS_KEPT = 100

export async function watchOnScreen(
  cli: Invocation,
  terminal: Terminal,
  { chosen, follow }: { chosen: Chosen; follow: () => AsyncIterable<Followed> },
): Promise<void> {
  const { store, board } = await cli.board('read')
  const events: BoardEvent[] = [...(await chooseEvents(store, await lastEvents(store, board, EVENTS_KEPT), chosen))]
  const screen = enterScreen(cli.world)
  const scene = async () => ({ ...(await overviewOf(store, board, chosen)), board, events })
  const artist = makeArtist(async () => boardView(await scene(), terminal), screen)
  const forgetResize = terminal.onResize?.(() => artist.draw())
  try {
    for await (const event of follow()) {
      if (event.kind !== 'resync') events.push(event)
      events.splice(0, events.length - EVENTS_KEPT)
      artist.draw()
    }
  } finally {
    forgetResize?.()
    await artist.stop()
    screen.leave()
  }
}

interface Artist {
  draw(): void
  stop(): Promise<void>
}

/** Draws when asked and every second, never twice at once and not too often. */
function makeArtist(paint: () => Promise<readonly string[]>, screen: Screen): Artist {
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

/** A store that does not answer leaves the old picture: whoever follows it says so. */
async function paintOnce(paint: () => Promise<readonly string[]>, screen: Screen): Promise<void> {
  try {
    screen.draw(await paint())
  } catch (error) {
    if (error instanceof BoardError && error.retryable) return
    screen.draw([`muster: ${oneLine(error instanceof Error ? error.message : String(error))}`])
  }
}
