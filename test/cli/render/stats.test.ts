import { expect, test } from 'vitest'
import { statsTable } from '../../../src/cli/render/stats.ts'
import { widthOf } from '../../../src/cli/render/width.ts'
import { STATUSES } from '../../../src/core/vocabulary.ts'
import type { Stats } from '../../../src/operations/boards/gather-stats.ts'

const DAY = new Date(2026, 10, 10).getTime()
const none = { runs: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 }

const stats = (usage: Partial<Stats['usage']> = {}): Stats => ({
  byStatus: Object.fromEntries(STATUSES.map((status) => [status, 0])) as Stats['byStatus'],
  byAssignee: {},
  oldestReadyAgeMs: null,
  review: { approved: 0, changesRequested: 0, medianMs: null, oldestMs: null },
  usage: { since: DAY, byAgent: [], byDay: [], ...usage },
  now: DAY,
})

const used = stats({
  byAgent: [
    { agent: 'claude', runs: 12, inputTokens: 1_234_567, outputTokens: 48_210, costUsd: 3.456 },
    { agent: 'local', runs: 1, inputTokens: 900, outputTokens: 5, costUsd: 0 },
  ],
  byDay: [
    { day: DAY, runs: 13, inputTokens: 1_235_467, outputTokens: 48_215, costUsd: 3.456 },
    { day: DAY + 86_400_000, ...none },
  ],
})

test('tokens and cost are shown by agent, then by day', () => {
  expect(statsTable(used, null).split('\n').slice(-6)).toEqual([
    '',
    'LAST 7 DAYS  RUNS  TOKENS IN  TOKENS OUT   COST',
    'claude         12       1.2M       48.2k  $3.46',
    'local           1        900           5      -',
    '',
    '2026-11-10     13       1.2M       48.2k  $3.46',
  ])
})

test.each([60, 80, 120])('the tables fit %i columns', (columns) => {
  const terminal = { columns, rows: 24, colors: false }
  for (const line of statsTable(used, terminal).split('\n')) expect(widthOf(line)).toBeLessThanOrEqual(columns)
})

test('a board without usage shows no table', () => {
  expect(statsTable(stats(), null)).not.toContain('TOKENS')
})
