const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Formats a duration in the largest unit that gives a whole number, such as 90s or 2h. */
export function durationText(ms: number): string {
  const unit = (['d', 'h', 'm', 's'] as const).find((name) => ms % UNITS[name] === 0)
  return unit === undefined ? `${ms / UNITS.s}s` : `${ms / UNITS[unit]}${unit}`
}

/** Parses `90` (seconds), `90s`, `1.5h` or `2d` into milliseconds. Returns null for any other text. */
export function parseDuration(text: string): number | null {
  const found = /^(\d+(?:\.\d+)?)([smhd])?$/.exec(text.trim())
  if (found === null || (found[2] === undefined && text.includes('.'))) return null
  const ms = Math.round(Number(found[1]) * UNITS[(found[2] ?? 's') as keyof typeof UNITS])
  return Number.isSafeInteger(ms) && ms > 0 ? ms : null
}
