/** The lines of a benchmark. A ratio is taken within one run, because machines are noisy and differ. */
type Target = `${'<=' | '>='}${number}`

export function ratio(name: string, value: number, target: Target): void {
  const digits = value >= 10 ? 1 : value >= 0.1 ? 2 : 3
  console.log(`ratio ${name} ${value.toFixed(digits)} ${target}`)
}

/** What helps to read the ratios, and is held to nothing. */
export const info = (text: string): void => console.log(`      ${text}`)

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
