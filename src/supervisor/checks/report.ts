/** Describes failed checks: a summary for the card, and the output for the agent. */
import { cut, cutFront } from '../../core/text.ts'
import type { CheckResult } from './check.ts'

/** The maximum length of the output in a summary, so that the summary fits into the error field of a card. */
const TAIL_LENGTH = 300
const NAME_LENGTH = 120
/**
 * The limit for the output of all failed checks together. Each check gets an equal share. An output that is too long
 * loses its beginning.
 */
const OUTPUT_LENGTH = 24_000

const failed = (results: readonly CheckResult[]): readonly CheckResult[] => results.filter(({ ok }) => !ok)

const named = ({ check }: CheckResult): string => (check.length > NAME_LENGTH ? `${cut(check, NAME_LENGTH)}…` : check)

const headline = (result: CheckResult): string => `check failed: ${named(result)} (${result.fault ?? 'failed'})`

/** Describes the first failed check, with the end of its output. */
export function failureSummary(results: readonly CheckResult[]): string {
  const [first, ...others] = failed(results)
  if (first === undefined) return 'the checks failed'
  const more = others.length === 0 ? '' : `, and ${others.length} more`
  const tail = cutFront(first.output.trim(), TAIL_LENGTH)
  return `${headline(first)}${more}${tail === '' ? '' : `: ${tail}`}`
}

/** Describes all failed checks, each with its output. */
export function failureOutput(results: readonly CheckResult[]): string {
  const bad = failed(results)
  const share = Math.floor(OUTPUT_LENGTH / Math.max(1, bad.length))
  return bad.map((result) => `${headline(result)}\n${ending(result.output.trim(), share)}`.trimEnd()).join('\n\n')
}

const ending = (text: string, max: number): string =>
  text.length <= max ? text : `[… ${text.length - max} characters left out …]\n${cutFront(text, max)}`
