import { STATUSES } from '../../core/vocabulary.ts'
import type { Stats } from '../../operations/boards/gather-stats.ts'
import { oneLine } from '../output/escape.ts'
import type { Terminal } from '../output/terminal.ts'
import { cutTo, fit, widthOf } from './width.ts'
import { ICONS, localTime, span } from './format-values.ts'

/**
 * Formats the statistics of a board: cards by status and by assignee, the oldest ready card, the reviews, and the
 * tokens and cost of the last days.
 */
export function statsTable(
  { byStatus, byAssignee, oldestReadyAgeMs, review, usage }: Stats,
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
  const lines = [
    ...statuses,
    ...(rows.length === 0 ? [] : ['', ...rows]),
    ...oldest,
    ...reviewLines(review),
    ...usageLines(usage),
  ]
  return lines.map((line) => (terminal === null ? line : cutTo(line, terminal.columns))).join('\n')
}

/** Formats the lines about usage. Days without a run are left out. */
function usageLines({ byAgent, byDay }: Stats['usage']): string[] {
  if (byAgent.length === 0) return []
  const agents = byAgent.map((one): readonly string[] => [oneLine(one.agent), ...usedCells(one)])
  const days = byDay
    .filter(({ runs }) => runs > 0)
    .map((one): readonly string[] => [localTime(one.day).slice(0, 10), ...usedCells(one)])
  const header = ['LAST 7 DAYS', 'RUNS', 'TOKENS IN', 'TOKENS OUT', 'COST']
  const table = [header, ...agents, ...days]
  const widths = header.map((_, at) => Math.max(...table.map((row) => widthOf(row[at] ?? ''))))
  const line = (row: readonly string[]): string =>
    row.map((cell, at) => (at === 0 ? fit(cell, widths[0] ?? 0) : cell.padStart(widths[at] ?? 0))).join('  ')
  return ['', line(header), ...agents.map(line), '', ...days.map(line)]
}

const usedCells = ({
  runs,
  inputTokens,
  outputTokens,
  costUsd,
}: Omit<Stats['usage']['byAgent'][number], 'agent'>): readonly string[] => [
  String(runs),
  shortCount(inputTokens),
  shortCount(outputTokens),
  costUsd === 0 ? '-' : `$${costUsd.toFixed(2)}`,
]

/** Formats a short number, such as `48.2k` or `1.3M`. */
function shortCount(count: number): string {
  if (count < 10_000) return String(count)
  return count < 1_000_000 ? `${(count / 1000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`
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
