import { STATUSES } from '../../core/vocabulary.ts'
import type { Stats } from '../../operations/boards/gather-stats.ts'
import { oneLine } from '../escape.ts'
import type { Terminal } from '../terminal.ts'
import { cutTo, fit, widthOf } from './width.ts'
import { ICONS, span } from './format-values.ts'

/** Counts by status and by assignee, the oldest ready card, and the reviews. */
export function statsTable(
  { byStatus, byAssignee, oldestReadyAgeMs, review }: Stats,
  terminal: Terminal | null,
): string {
  const statuses = STATUSES.map(
    (status) => `${ICONS[status]} ${status.padEnd(9)}  ${String(byStatus[status]).padStart(6)}`,
  )
  const names = Object.keys(byAssignee).map(oneLine)
  const widest = Math.min(24, Math.max(0, ...names.map(widthOf)))
  const rows = Object.entries(byAssignee).map(([name, counts]) => {
    const parts = STATUSES.flatMap((status) => (counts[status] === undefined ? [] : [`${status} ${counts[status]}`]))
    return `${fit(oneLine(name), widest)}  ${parts.join(', ')}`
  })
  const oldest =
    oldestReadyAgeMs === null ? [] : ['', `The oldest ready card was created ${span(oldestReadyAgeMs)} ago.`]
  const lines = [...statuses, ...(rows.length === 0 ? [] : ['', ...rows]), ...oldest, ...reviewLines(review)]
  return lines.map((line) => (terminal === null ? line : cutTo(line, terminal.columns))).join('\n')
}

function reviewLines({ approved, changesRequested, medianMs, oldestMs }: Stats['review']): string[] {
  const took = medianMs === null ? '' : `; median ${span(medianMs)}`
  return [
    ...(oldestMs === null ? [] : ['', `The oldest review has waited ${span(oldestMs)}.`]),
    ...(approved + changesRequested === 0
      ? []
      : ['', `Reviews: ${approved} approved, ${changesRequested} sent back${took}.`]),
  ]
}
