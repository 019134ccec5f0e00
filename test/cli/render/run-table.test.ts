import { expect, test } from 'vitest'
import { runTable } from '../../../src/cli/render/run-table.ts'
import { widthOf } from '../../../src/cli/render/width.ts'
import { viewRun } from '../../../src/operations/runs/run-view.ts'
import { MINUTE, NOON, sampleRun } from '../../helpers/sample.ts'

const ended = { endedAt: NOON + MINUTE, outcome: 'completed' } as const
const terminal = (columns: number) => ({ columns, rows: 24, colors: false })
const completed = { ...viewRun(sampleRun({ ...ended, summary: 'First line.\nAll tests pass.' })), lastLine: null }
const live = { ...viewRun(sampleRun({ attempt: 2 })), lastLine: 'compiling page 3' }

test('on a terminal, the summary or last output of each run is below its row', () => {
  const lines = runTable([completed, live], { now: NOON + MINUTE, terminal: terminal(80) }).split('\n')
  expect(lines[0]).toBe('#   OUTCOME    BY     TOOK   STARTED')
  expect(lines[1]).toMatch(/^#1 {2}completed {2}coder {2}1 min {2}2026-11-10 \d\d:00$/)
  expect(lines[2]).toBe('    All tests pass.')
  expect(lines[4]).toBe('    compiling page 3')
})

test('a pipe gets one line per run', () => {
  expect(runTable([completed, live], { now: NOON + MINUTE, terminal: null }).split('\n')).toEqual([
    expect.stringMatching(/ All tests pass\.$/),
    expect.stringMatching(/ compiling page 3$/),
  ])
})

test.each([60, 80, 120])('no line is wider than %i columns', (columns) => {
  const long = { ...completed, summary: 'many words '.repeat(40) }
  for (const line of runTable([long], { now: NOON, terminal: terminal(columns) }).split('\n'))
    expect(widthOf(line)).toBeLessThanOrEqual(columns)
})
