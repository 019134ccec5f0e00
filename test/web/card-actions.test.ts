import { expect, test } from 'vitest'
import { STATUSES } from '../../src/core/vocabulary.ts'
import type { Status } from '../../src/core/vocabulary.ts'
import { commandLines } from '../../web/src/card/actions/command-lines.ts'
import { endsRun, footerActions, legalActions } from '../../web/src/card/actions/legal-actions.ts'
import type { ActionCard } from '../../web/src/card/actions/legal-actions.ts'
import { wasApplied } from '../../web/src/card/actions/pending-actions.ts'
import { remedyStep } from '../../web/src/card/overview/remedy-steps.ts'

const SCRATCH: ActionCard['workspace'] = {
  kind: 'scratch',
  path: null,
  repo: null,
  state: 'none',
  base: null,
  baseBranch: null,
  machine: null,
  host: null,
  owner: null,
  sweeper: null,
}

const card = (status: Status, more: Partial<ActionCard> = {}): ActionCard => ({
  id: 't_1',
  status,
  archivedFrom: null,
  blockKind: null,
  commandsApproved: true,
  resumeStatus: null,
  held: false,
  openParents: 0,
  currentRunId: null,
  workspace: SCRATCH,
  branch: null,
  hasUnlandedWork: false,
  deletedAt: null,
  checks: [],
  agentChecks: [],
  guardUntil: null,
  cooldownUntil: null,
  runs: [],
  ...more,
})

const running = (run: Partial<ActionCard['runs'][number]> = {}, more: Partial<ActionCard> = {}): ActionCard =>
  card('running', {
    currentRunId: 'r_1',
    runs: [{ id: 'r_1', kind: 'agent', phase: 'work', fromStatus: 'ready', ...run }],
    ...more,
  })

test('every status has its likely action in the footer, and the other actions in the menu', () => {
  const first = Object.fromEntries(STATUSES.map((status) => [status, footerActions(card(status)).shown[0]]))
  expect(first).toEqual({
    triage: 'promote',
    todo: 'promote',
    scheduled: 'unblock',
    ready: 'complete',
    running: 'hold',
    review: 'approve',
    blocked: 'answer',
    done: 'reopen',
    archived: 'unarchive',
  })
  const { shown, more } = footerActions(card('review'))
  expect([...shown, ...more].toSorted()).toEqual([...legalActions(card('review'))].toSorted())
})

test('a running agent can be stopped, and other commands end its run first', () => {
  expect(footerActions(running()).shown[0]).toBe('stop')
  expect(legalActions(running())).toContain('complete')
  expect([endsRun('archive', running()), endsRun('hold', running())]).toEqual([true, false])
  expect(legalActions(running({ kind: 'manual' }))).not.toContain('stop')
  expect(endsRun('complete', running({ kind: 'manual' }))).toBe(false)
})

test('a card whose checks run cannot be completed or approved a second time', () => {
  const actions = legalActions(running({ phase: 'check', fromStatus: 'review' }))
  expect(actions).not.toContain('approve')
  expect(actions).not.toContain('complete')
})

test('a card with unfinished parents cannot be completed, and a deleted card can only be restored', () => {
  expect(legalActions(card('blocked', { openParents: 1 }))).not.toContain('complete')
  expect(legalActions(card('blocked', { openParents: 1 }))).toContain('promote')
  expect(legalActions(card('ready', { deletedAt: 1 }))).toEqual(['undelete'])
})

test('a review with checks can be approved without running the checks', () => {
  expect(legalActions(card('review', { checks: ['npm test'] }))).toContain('force-approve')
  expect(legalActions(card('review'))).not.toContain('force-approve')
})

test('the result of a pending command is recognised by the outcome of the run', () => {
  expect(wasApplied('complete', { outcome: 'completed' })).toBe(true)
  expect(wasApplied('stop', { outcome: 'stopped' })).toBe(true)
  expect(wasApplied('approve', { outcome: 'checks_failed' })).toBe(false)
})

test('a remedy is an action, a field, or a command for the terminal', () => {
  const step = (operation: string, input: Record<string, string | boolean>, ...asks: string[]) =>
    remedyStep({ operation, input, asks } as Parameters<typeof remedyStep>[0])
  expect(step('promote', { task: 't_1', force: true })).toEqual({ by: 'action', action: 'promote', isReset: false })
  expect(step('unblock', { task: 't_1', reset: true })).toMatchObject({ isReset: true })
  expect(step('edit', { task: 't_1' }, 'reviewer')).toEqual({ by: 'field', field: 'reviewer' })
  expect(step('edit', { task: 't_1', freshWorkspace: true })).toEqual({ by: 'fresh_workspace' })
  expect(step('agents approve', { folder: "/srv/it's" })).toEqual({
    by: 'command',
    line: String.raw`muster agents approve '/srv/it'\''s'`,
  })
})

test('the commands for a terminal begin with the commands that only read', () => {
  expect(commandLines({ ...card('blocked'), id: 't_1', runs: [] }).slice(0, 4)).toEqual([
    'muster show t_1',
    'muster why t_1',
    "muster comment t_1 '…'",
    "muster answer t_1 '…'",
  ])
})
