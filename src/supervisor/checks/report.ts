/** Describes failed checks: one line for the record, and the output for fixing them. */
import { cut, cutFront } from '../../core/text.ts'
import type { CheckResult } from './check.ts'

/** With the reason before it, this fits the error field of a card. */
const TAIL = 300
const NAME = 120
/** For all of them together; each keeps its end. */
const OUTPUT = 24_000

const failed = (results: readonly CheckResult[]): readonly CheckResult[] => results.filter(({ ok }) => !ok)

const named = ({ check }: CheckResult): string => (check.length > NAME ? `${cut(check, NAME)}…` : check)

const headline = (result: CheckResult): string => `check failed: ${named(result)} (${result.fault ?? 'failed'})`

/** The first failed check, with the end of its output. */
export function failureSummary(results: readonly CheckResult[]): string {
  const [first, ...others] = failed(results)
  if (first === undefined) return 'the checks failed'
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  const words = cutFront(first.output.trim(), TAIL)
  return `${headline(first)}${more}${words === '' ? '' : `: ${words}`}`
}

/** All failed checks, each with its output. */
export function failureOutput(results: readonly CheckResult[]): string {
  const bad = failed(results)
  const share = Math.floor(OUTPUT / Math.max(1, bad.length))
  return bad.map((result) => `${headline(result)}\n${ending(result.output.trim(), share)}`.trimEnd()).join('\n\n')
}

const ending = (text: string, max: number): string =>
  text.length <= max ? text : `[… ${text.length - max} characters left out …]\n${cutFront(text, max)}`
