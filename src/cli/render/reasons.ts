/** Why a card is not running, for people. */
import type { Explanation } from '../../operations/explain-task.schema.ts'
import { oneLine } from '../escape.ts'
import { ICONS, localTime } from './words.ts'

type Reasons = Explanation['reasons']

export const reasonLines = (reasons: Reasons): readonly string[] =>
  reasons.flatMap(({ message, clearedBy, at }) => [
    `  · ${oneLine(message)}`,
    `    → ${oneLine(clearedBy)}${at === null ? '' : ` (${localTime(at)})`}`,
  ])

export const explanation = ({ task, reasons }: Explanation): string =>
  [`${ICONS[task.status]} ${task.id}  ${oneLine(task.title)}  (${task.status})`, ...reasonLines(reasons)].join('\n')
