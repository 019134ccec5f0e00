import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { testsOfScenarios } from '../../scripts/docs/scenario-tests.ts'

const SCENARIOS = Array.from({ length: 85 }, (_, at) => at + 1)

const page = readFileSync('docs/contributing/scenarios.md', 'utf8')
const parts = page.split(/^(?=\*\*\d+\.\*\* )/m).slice(1)
const numberOf = (part: string): number => Number(/^\*\*(\d+)/.exec(part)?.[1])

test('the scenarios page describes every scenario from 1 to 85 once', () => {
  expect(parts.map(numberOf).toSorted((a, b) => a - b)).toEqual(SCENARIOS)
})

test('every scenario has a test, or a note that explains why not', () => {
  const isProved = (part: string): boolean => /^- `test\/[^`]+` › /m.test(part)
  const hasNote = (part: string): boolean => /^- (no test yet:|not proved) /m.test(part)
  expect(parts.filter((part) => isProved(part) === hasNote(part)).map(numberOf)).toEqual([])
})

test('tests name only scenarios that exist', () => {
  expect([...testsOfScenarios('test').keys()].filter((number) => !SCENARIOS.includes(number))).toEqual([])
})
