/** The display settings of the board that this browser showed last. */
import { makeValue } from '../app-state/value.ts'
import { DEFAULT_DISPLAY, readDisplay, writeDisplay } from './board-display.ts'
import type { Display } from './board-display.ts'

const KEY = 'muster-board-display'

const stored = (): Display => readDisplay(new URLSearchParams(localStorage.getItem(KEY) ?? ''), DEFAULT_DISPLAY)

export const rememberedDisplay = makeValue<Display>(stored())

export function rememberDisplay(display: Display): void {
  localStorage.setItem(KEY, String(writeDisplay(new URLSearchParams(), display)))
  rememberedDisplay.set(display)
}
