import { expect, test } from 'vitest'
import { CREATE_FIELDS } from '../../src/core/card-fields.ts'
import { faultsOf, inputOf, refusedField } from '../../web/src/create/create-input.ts'
import { EMPTY_DRAFT, hasFolded, isEmptyDraft, nextDraft, readDraft, withPrefill } from '../../web/src/create/draft.ts'
import type { Draft } from '../../web/src/create/draft.ts'

const draft = (fields: Partial<Draft>): Draft => ({ ...EMPTY_DRAFT, title: 'Fix it', ...fields })
const NO_DIRECTORY = { defaultDirectory: null }

test('an empty draft needs only a title', () => {
  expect(faultsOf(EMPTY_DRAFT, NO_DIRECTORY)).toEqual({ title: 'faultNoTitle' })
  expect(faultsOf(draft({}), NO_DIRECTORY)).toEqual({})
})

test('fields that cannot be sent are found before the request', () => {
  const wrong = draft({ priority: 'high', maxRuntime: 'soon', maxRetries: '0', start: 'at', workspace: 'dir' })
  expect(faultsOf(wrong, NO_DIRECTORY)).toEqual({
    folder: 'faultNoFolder',
    startAt: 'faultNoTime',
    priority: 'faultPriority',
    maxRuntime: 'faultDuration',
    maxRetries: 'faultRetries',
  })
  expect(faultsOf(draft({ workspace: 'worktree', folder: 'shop' }), NO_DIRECTORY)).toEqual({
    folder: 'faultRelativeFolder',
  })
  expect(faultsOf(draft({ workspace: 'worktree' }), { defaultDirectory: '/srv/shop' })).toEqual({})
  expect(faultsOf(draft({ title: 'x'.repeat(501) }), NO_DIRECTORY)).toEqual({ title: 'faultLongTitle' })
})

test('the input has the values of the fields, and null for empty ones', () => {
  const at = '2026-11-20T09:30'
  const input = inputOf(
    draft({
      title: ' Fix it ',
      assignee: 'claude',
      workspace: 'worktree',
      folder: '/srv/shop',
      branch: 'fix',
      checks: ['npm test', ' '],
      parents: [{ id: 't_1', title: 'First', status: 'ready' }],
      start: 'at',
      startAt: at,
      priority: '-2',
      maxRuntime: '30m',
      maxRetries: '3',
      skillsFrom: 'card',
    }),
  )
  expect(input).toMatchObject({
    title: 'Fix it',
    body: null,
    assignee: 'claude',
    workspace: { kind: 'worktree', path: null, repo: '/srv/shop' },
    branch: 'fix',
    base: null,
    checks: ['npm test'],
    parents: ['t_1'],
    scheduledAt: new Date(at).getTime(),
    held: false,
    triage: false,
    priority: -2,
    maxRuntimeMs: 1_800_000,
    maxRetries: 3,
    skills: [],
    tenant: null,
  })
  expect(inputOf(draft({}))).toMatchObject({ workspace: null, skills: null, scheduledAt: null, maxRetries: null })
})

test('a goal is sent with its judge and its turns, and checks can judge only if the card has checks', () => {
  expect(inputOf(draft({ goalTurns: '5' })).goal).toBeNull()
  expect(inputOf(draft({ goal: 'model' })).goal).toEqual({ judge: 'model', maxTurns: 20 })
  expect(inputOf(draft({ goal: 'checks', goalTurns: '5', checks: ['true'] })).goal).toMatchObject({ maxTurns: 5 })
  expect(faultsOf(draft({ goal: 'checks', goalTurns: '201', checks: [' '] }), NO_DIRECTORY)).toEqual({
    goal: 'faultGoalChecks',
    goalTurns: 'faultTurns',
  })
})

test('the dialog has every field that core lets a person give, except the idempotency key', () => {
  const fields = Object.keys(inputOf(EMPTY_DRAFT))
  expect(CREATE_FIELDS.filter((name) => !fields.includes(name))).toEqual(['idempotencyKey'])
})

test('a branch is sent only for a worktree', () => {
  expect(inputOf(draft({ workspace: 'dir', folder: '/srv', branch: 'fix', base: 'main' }))).toMatchObject({
    workspace: { kind: 'dir', path: '/srv', repo: null },
    branch: null,
    base: null,
  })
})

test('a refusal is shown at the field that it names', () => {
  const refusal = (code: string, field?: string) => refusedField({ code, details: { field } }, EMPTY_DRAFT)
  expect(refusal('invalid_input', 'workspace.path')).toBe('folder')
  expect(refusal('invalid_input', 'branch')).toBe('branch')
  expect(refusal('invalid_input', 'maxRuntimeMs')).toBe('maxRuntime')
  expect(refusal('skill_not_found')).toBe('skills')
  expect(refusal('task_not_found')).toBe('parents')
  expect(refusal('board_archived')).toBeNull()
})

test('a URL fills in its fields and keeps the rest of the draft', () => {
  const prefilled = withPrefill(draft({ body: 'Kept' }), {
    title: 'From a link',
    status: 'triage',
    labels: 'a,b',
    parents: 't_1',
  })
  expect(prefilled).toMatchObject({
    title: 'From a link',
    body: 'Kept',
    start: 'triage',
    labels: ['a', 'b'],
    parents: [{ id: 't_1' }],
  })
  expect(hasFolded(prefilled)).toBe(true)
})

test('the next card of a series keeps the agent and the checks, but not the text', () => {
  const next = nextDraft(draft({ body: 'Text', assignee: 'claude', checks: ['npm test'], branch: 'one' }))
  expect(next).toEqual({ ...EMPTY_DRAFT, assignee: 'claude', checks: ['npm test'] })
})

test('a stored draft can be read again, without invalid values of another version', () => {
  const stored = draft({ assignee: 'claude', labels: ['a'] })
  expect(readDraft(JSON.stringify(stored))).toEqual(stored)
  const other = { title: 'Kept', labels: 'a', start: 'never', workspace: 7, unknown: true }
  expect(readDraft(JSON.stringify(other))).toEqual({ ...EMPTY_DRAFT, title: 'Kept' })
  expect(readDraft('{')).toBeNull()
  expect(isEmptyDraft(readDraft('{}') ?? draft({}))).toBe(true)
})
