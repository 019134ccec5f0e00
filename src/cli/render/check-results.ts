import type { CheckResult } from '../../supervisor/checks/check.ts'
import { multiLine, oneLine } from '../output/escape.ts'

/** Formats one line for each check. Failed checks have their output below. */
export const checkLines = (results: readonly CheckResult[]): string =>
  results.flatMap((result) => [headline(result), ...(result.ok ? [] : printed(result))]).join('\n')

const headline = ({ ok, check, fault, durationMs }: CheckResult): string =>
  `${ok ? 'ok    ' : 'failed'}  ${oneLine(check)}${fault === null ? '' : `  (${oneLine(fault)})`}  ${(durationMs / 1000).toFixed(1)} s`

const printed = ({ output }: CheckResult): string[] =>
  output.trim() === ''
    ? []
    : multiLine(output.trimEnd())
        .split('\n')
        .map((line) => `        ${line}`)
