/**
 * When the model says that its quota comes back: in two days, since nobody believes what is years away. In recordings it
 * is a moment that is never out of date, which test/fixtures/clis/replay.mjs tells as a near one again.
 */
import type { Scrubs } from './recorder.ts'

const RECORDED_S = 1_900_000_000
const DAY_S = 86_400

/** At the same time of day. */
export const RESET_S = RECORDED_S - Math.floor((RECORDED_S - Date.now() / 1000) / DAY_S - 2) * DAY_S

const ORDINALS = new Intl.PluralRules('en', { type: 'ordinal' })
const SUFFIXES: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' }

/** As Codex says it. */
function dayInWords(seconds: number): string {
  const at = new Date(seconds * 1000)
  const [, month, day, year] = at.toDateString().split(' ')
  return `${month} ${Number(day)}${SUFFIXES[ORDINALS.select(at.getDate())] ?? 'th'}, ${year}`
}

export const RESET_SCRUBS: Scrubs = [
  [String(RESET_S), String(RECORDED_S)],
  [dayInWords(RESET_S), dayInWords(RECORDED_S)],
]
