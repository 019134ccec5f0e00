import { expect, test } from 'vitest'
import {
  CARD_COLUMNS,
  CARD_FIELD_NAMES,
  CREATE_FIELDS,
  DETAIL_FIELDS,
  EDIT_FIELDS,
  FILTER_FIELDS,
  cardField,
} from '../../src/core/card-fields.ts'
import { renderBriefing } from '../../src/core/briefing/render-briefing.ts'
import { cardInputSchema, editShape } from '../../src/core/input/card-input.ts'
import { taskSchema } from '../../src/core/task.ts'
import { NOON, card, sampleTask } from '../helpers/sample.ts'

test('a new card has exactly the fields of the table', () => {
  const task = sampleTask()
  expect(Object.keys(task).toSorted()).toEqual([...CARD_FIELD_NAMES].toSorted())
  expect(taskSchema.parse(task)).toEqual(task)
})

test('every field has at least one column', () => {
  const names = new Set(Object.keys(CARD_COLUMNS).map((column) => column.replace(/\..*/, '')))
  expect([...names].toSorted()).toEqual([...CARD_FIELD_NAMES].toSorted())
})

test('every field that a caller can give has a description', () => {
  for (const name of [...CREATE_FIELDS, ...EDIT_FIELDS])
    expect([name, cardField(name).describe]).not.toContain(undefined)
  for (const name of FILTER_FIELDS) expect(cardField(name).filter?.describe).not.toBe('')
})

test('lists leave out the body, the checks and the result', () => {
  expect([...DETAIL_FIELDS].toSorted()).toEqual(['body', 'checks', 'result'])
})

test('a card with only a title has empty values elsewhere', () => {
  const input = cardInputSchema.parse({ id: card('a'), title: 'Write the parser' })
  for (const name of CREATE_FIELDS.filter((one) => one !== 'title')) expect(input[name]).toEqual(cardField(name).empty)
})

test.each([
  [
    ['bug', ' UI ', 'bug'],
    ['bug', 'ui'],
  ],
  [
    ['area/ui', 'p:1'],
    ['area/ui', 'p:1'],
  ],
])('labels %j are stored as %j', (given, kept) => {
  expect(editShape.labels.parse(given)).toEqual(kept)
})

test.each([
  [['a b']],
  [['None']],
  [['a,b']],
  [['']],
  [['x'.repeat(51)]],
  [Array.from({ length: 21 }, (_, at) => `l${at}`)],
])('labels %j are refused', (given) => {
  expect(editShape.labels.safeParse(given).success).toBe(false)
})

test('the briefing names the labels of a card', () => {
  const task = sampleTask({ labels: ['bug', 'ui'] })
  const briefing = renderBriefing({
    role: 'work',
    now: NOON,
    task,
    agent: 'coder',
    attachments: [],
    runs: [],
    parents: [],
    recentWork: [],
    comments: [],
    answers: [],
  })
  expect(briefing).toContain('\nLabels: `bug, ui`\n')
})
