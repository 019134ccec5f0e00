/**
 * The full-screen board of `watch`. The state decides what the screen shows. After each change of the state, the
 * sources read the missing data, and the screen is drawn at most ten times per second.
 */
import type { BoardError } from '../../core/errors.ts'
import type { Followed } from '../../operations/boards/follow.ts'
import { watchBoard } from '../../operations/boards/watch-board.ts'
import { CardTitles } from '../card-titles.ts'
import type { Invocation } from '../invocation.ts'
import { oneLine } from '../output/escape.ts'
import type { Keyboard } from '../output/keyboard.ts'
import { enterScreen } from '../output/screen.ts'
import type { Terminal } from '../output/terminal.ts'
import { carryOut } from './carry-out.ts'
import { drawFrame } from './frame.ts'
import { readKeys } from './read-keys.ts'
import { press } from './press.ts'
import { receive } from './receive.ts'
import type { News } from './receive.ts'
import { openSources } from './sources.ts'
import type { WatchedCards } from './sources.ts'
import { emptyState } from './state.ts'
import type { Effect, WatchState } from './state.ts'
import { makeThrottle } from './throttle.ts'

const FRAME_MS = 100
const CLOCK_MS = 1_000
/** The number of past events that the page of events shows at first. */
const PAST_EVENTS = 50

export async function watchOnScreen(cli: Invocation, terminal: Terminal, watched: WatchedCards): Promise<void> {
  const canWrite = cli.remote !== null || (await opensForWriting(cli))
  const keyboard = (await cli.world.keyboard?.()) ?? null
  const screen = new WatchScreen(cli, { terminal, keyboard, watched, canWrite })
  await screen.run()
}

/**
 * Whether the store can be opened for writing. If not, the screen is read-only. Opening the store for writing later
 * would close it under the event stream.
 */
async function opensForWriting(cli: Invocation): Promise<boolean> {
  try {
    await cli.board('write')
    return true
  } catch {
    await cli.board('read')
    return false
  }
}

interface Parts {
  readonly terminal: Terminal
  readonly keyboard: Keyboard | null
  readonly watched: WatchedCards
  readonly canWrite: boolean
}

class WatchScreen {
  readonly #cli: Invocation
  readonly #parts: Parts
  readonly #stop = new AbortController()
  readonly #sources: ReturnType<typeof openSources>
  readonly #frames = makeThrottle(FRAME_MS, () => this.#draw())
  #state: WatchState
  #screen: ReturnType<typeof enterScreen> | null = null
  #keys: ReturnType<typeof readKeys> | null = null
  #failure: Error | null = null

  constructor(cli: Invocation, parts: Parts) {
    const { terminal, keyboard } = parts
    this.#cli = cli
    this.#parts = parts
    this.#state = emptyState({
      size: sizeOf(terminal),
      hasKeyboard: keyboard !== null,
      program: cli.world.env['MUSTER_PROGRAM'],
      now: cli.world.now(),
    })
    this.#sources = openSources(cli, {
      watched: parts.watched,
      signal: this.#stop.signal,
      tell: (news) => this.#tell(news),
      fail: (error) => this.#fail(error),
    })
  }

  async run(): Promise<void> {
    const { world } = this.#cli
    const { terminal, keyboard } = this.#parts
    const stop = (): void => this.#stop.abort()
    // Ctrl-C is handled before the screen starts, so that the terminal is always restored.
    const forget = [world.onInterrupt(stop), world.onOutputClosed?.(stop)]
    this.#screen = enterScreen(world)
    this.#keys = keyboard === null ? null : readKeys(keyboard, (key) => this.#press(key))
    forget.push(terminal.onResize?.(() => this.#resize()))
    forget.push(keyboard?.onContinue(() => this.#continue()))
    const clock = setInterval(() => this.#tell({ kind: 'clock', now: this.#now() }), CLOCK_MS)
    try {
      this.#draw()
      await this.#followEvents()
    } finally {
      clearInterval(clock)
      for (const each of forget) each?.()
      stop()
      await this.#sources.end()
      this.#frames.stop()
      this.#keys?.stop()
      this.#screen.leave()
    }
    if (this.#failure !== null) throw this.#failure
  }

  /** The time by the clock of the store, because the times on the board come from this clock. */
  #now(): number {
    return this.#cli.world.now() + this.#sources.skewMs()
  }

  async #followEvents(): Promise<void> {
    const { watched } = this.#parts
    const view = await this.#sources.firstBoard()
    if (view === null) return
    const titles = await CardTitles.of(this.#cli)
    const [epoch = '', last = '0'] = view.cursor.split(':')
    const since = `${epoch}:${Math.max(0, Number(last) - PAST_EVENTS)}`
    const until = this.#stop.signal
    const onTrouble = (error: BoardError | null): void => this.#trouble(error)
    for await (const event of this.#cli.follow(watchBoard, { ...watched, since }, { until, onTrouble }))
      await this.#take(event, titles)
  }

  async #take(event: Followed, titles: CardTitles): Promise<void> {
    if (event.kind === 'resync') return this.#sources.refresh(null)
    this.#sources.refresh(event)
    this.#tell({ kind: 'event', event: { ...event, title: await titles.titleFor(event) } })
  }

  #trouble(error: BoardError | null): void {
    if (error === null && this.#state.trouble !== null) this.#sources.refresh(null)
    this.#tell({ kind: 'trouble', text: error === null ? null : `${oneLine(error.message)} Retrying.` })
  }

  #tell(news: News): void {
    this.#change(receive(this.#state, news))
  }

  #change(state: WatchState): void {
    this.#state = state
    this.#sources.want(state)
    this.#frames.request()
  }

  #press(key: Parameters<typeof press>[1]): void {
    const { state, effects } = press(this.#state, key)
    this.#change(state)
    for (const effect of effects) this.#carryOut(effect).catch((error: unknown) => this.#fail(error))
  }

  async #carryOut(effect: Effect): Promise<void> {
    if (effect.kind === 'quit') return this.#stop.abort()
    if (effect.kind === 'suspend') return this.#suspend()
    if (effect.kind === 'redraw') return this.#redraw()
    const notice = this.#parts.canWrite
      ? await carryOut(this.#cli, effect)
      : ({ kind: 'failed', text: 'This store is read-only.' } as const)
    this.#tell({ kind: 'notice', notice })
    this.#sources.refresh(null)
  }

  /** Ends the screen after an error that a retry cannot fix. The error is printed after the terminal is restored. */
  #fail(error: unknown): void {
    this.#failure ??= error instanceof Error ? error : new Error(String(error))
    this.#stop.abort()
  }

  async #suspend(): Promise<void> {
    const { keyboard } = this.#parts
    if (keyboard === null || this.#screen === null) return
    this.#keys?.stop()
    this.#screen.leave()
    // Without this, the next drawing would appear on the normal screen.
    this.#screen = null
    await keyboard.suspend()
  }

  #continue(): void {
    const { keyboard } = this.#parts
    if (this.#stop.signal.aborted) return
    this.#keys?.stop()
    this.#screen?.leave()
    this.#screen = enterScreen(this.#cli.world)
    this.#keys = keyboard === null ? null : readKeys(keyboard, (key) => this.#press(key))
    this.#resize()
  }

  #resize(): void {
    this.#screen?.clear()
    this.#tell({ kind: 'size', size: sizeOf(this.#parts.terminal) })
  }

  #redraw(): void {
    this.#screen?.clear()
    this.#frames.request()
  }

  #draw(): void {
    const { colors } = this.#parts.terminal
    this.#screen?.draw(drawFrame(this.#state, { colors }))
  }
}

const sizeOf = ({ columns, rows }: Terminal): WatchState['size'] => ({
  columns: Math.max(1, columns),
  rows: Math.max(2, rows),
})
