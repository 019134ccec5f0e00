/** Describes why a card is not running, for people and for scripts. */
import type { Reason } from '../../core/reasons/reason.ts'
import type { Explanation } from '../../operations/cards/explain-task.ts'
import { oneLine } from '../output/escape.ts'
import { reasonSentence, wayOut } from './reason-text.ts'
import { ICONS } from './format-values.ts'
import { wrapAroundCommands } from './wrap.ts'

/** Each reason with the way to clear it, wrapped at words. */
const reasonLines = (reasons: readonly Reason[], now: number, width: number): readonly string[] =>
  reasons.flatMap((reason) => [
    ...marked('  · ', reasonSentence(reason), width),
    ...marked('    → ', wayOut(reason, now), width),
  ])

function marked(mark: string, text: string, width: number): readonly string[] {
  const [first = '', ...more] = wrapAroundCommands(text, width - mark.length)
  return [`${mark}${first}`, ...more.map((line) => `${' '.repeat(mark.length)}${line}`)]
}

export const explanation = ({ task, reasons }: Explanation, now: number, width: number): string =>
  [
    `${ICONS[task.status]} ${task.id}  ${oneLine(task.title)}  (${task.status})`,
    ...reasonLines(reasons, now, width),
  ].join('\n')

export type ReasonValue = Reason & {
  /** The same time as `until`. Existing scripts read the time under this name. */
  readonly at: number | null
  readonly message: string
  readonly clearedBy: string
}

/** A reason in the form for scripts. It has the data, and the sentences that people see. */
export const reasonValue = (reason: Reason): ReasonValue => ({
  ...reason,
  at: reason.until,
  message: reasonSentence(reason),
  clearedBy: wayOut(reason),
})
