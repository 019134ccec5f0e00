/** Prints the lines of a bench. Both values of a ratio come from the same run, because machines differ. */
type Target = `${'<=' | '>='}${number}`

export function ratio(name: string, value: number, target: Target): void {
  const digits = value >= 10 ? 1 : value >= 0.1 ? 2 : 3
  console.log(`ratio ${name} ${value.toFixed(digits)} ${target}`)
}

/** Prints a line that explains the ratios and has no target. */
export const info = (text: string): void => console.log(`      ${text}`)

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
