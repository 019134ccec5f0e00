/** The width of the open card in pixels, as set by the person. */
const KEY = 'muster-card-width'

export const NARROWEST = 440
/** This many pixels beside the card stay free, for the navigation and one column of the board. */
const BESIDE = 200 + 260

export const widestIn = (windowWidth: number): number => Math.max(NARROWEST, windowWidth - BESIDE)

export const fitWidth = (width: number, windowWidth: number): number =>
  Math.round(Math.min(widestIn(windowWidth), Math.max(NARROWEST, width)))

export function readWidth(): number | null {
  const found = Number(localStorage.getItem(KEY))
  return found > 0 ? found : null
}

export function keepWidth(width: number | null): void {
  if (width === null) localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, String(width))
}
