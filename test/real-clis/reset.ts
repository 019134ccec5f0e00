/**
 * The time at which the scripted model resets its quota: in two days, because Muster ignores times that are years away.
 * Recordings contain a fixed time, which test/fixtures/clis/replay.mjs replaces by a time in the near future.
 */
import type { Scrubs } from './recorder.ts'

const RECORDED_S = 1_900_000_000
const DAY_S = 86_400

/** The reset time of this test, at the same time of day as the recorded time. */
export const RESET_S = RECORDED_S - Math.floor((RECORDED_S - Date.now() / 1000) / DAY_S - 2) * DAY_S

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' })
const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }

/** Formats a day as Codex does. */
function formatDay(seconds: number): string {
  const at = new Date(seconds * 1000)
  const [, month, day, year] = at.toDateString().split(' ')
  return `${month} ${Number(day)}${SUFFIXES[ORDINALS.select(at.getDate())] ?? 'th'}, ${year}`
}

export const RESET_SCRUBS: Scrubs = [
  [String(RESET_S), String(RECORDED_S)],
  [formatDay(RESET_S), formatDay(RECORDED_S)],
]
