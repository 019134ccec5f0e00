// Tests the commands that the page of a card offers.
import { describe, expect, test } from 'vitest'
import { nextSteps } from '../../../src/core/reasons/next-steps.ts'
import type { StepInput } from '../../../src/core/reasons/next-steps.ts'
import { obstacle } from '../../../src/core/reasons/reason.ts'
import type { Obstacle, Reason } from '../../../src/core/reasons/reason.ts'
import { withRemedies } from '../../../src/core/reasons/remedies.ts'
import type { Task } from '../../../src/core/task.ts'
import { sampleRun, sampleTask, sampleWorkspace } from '../../helpers/sample.ts'

const CHANGES = { files: 1, added: 1, removed: 0, commit: 'c1', note: null }

const worktree = sampleWorkspace({ kind: 'worktree', repo: '/srv/site', base: 'b1', baseBranch: 'main', state: 'live' })

const reason = (task: Task, found: Obstacle): Reason => withRemedies(found, { task, openParents: [] })

function offered(patch: Partial<Task>, found: (task: Task) => Obstacle, rest: Partial<StepInput> = {}): string[] {
  const task = sampleTask(patch)
  const input = { task, runs: [], hasUnlandedWork: false, isWorkHere: true, ...rest }
  return nextSteps({ ...input, reasons: [reason(task, found(task))] }).map(({ operation }) => operation)
}

const finished = (status: 'done' | 'archived') => () => obstacle('finished', { status })
const ran = [sampleRun({ changes: CHANGES })]
const onBranch = { workspace: worktree, branch: 'muster/t_a' }

describe('a finished card', () => {
  test('a card with unlanded work offers `diff`, `land`, `log` and `reopen`, in this order', () => {
    const steps = offered({ ...onBranch, status: 'done' }, finished('done'), { runs: ran, hasUnlandedWork: true })
    expect(steps).toEqual(['diff', 'land', 'log', 'reopen'])
  })

  test('a card without unlanded work does not offer `land`', () => {
    expect(offered({ ...onBranch, status: 'done' }, finished('done'), { runs: ran })).toEqual(['diff', 'log', 'reopen'])
  })

  test('a card with work on another machine offers neither `diff` nor `land`', () => {
    const elsewhere = { runs: ran, hasUnlandedWork: true, isWorkHere: false }
    expect(offered({ ...onBranch, status: 'done' }, finished('done'), elsewhere)).toEqual(['log', 'reopen'])
  })

  test('`reopen` is never the first command that a card offers', () => {
    expect(offered({ status: 'done' }, finished('done'))).toEqual([])
    expect(offered({ status: 'done' }, finished('done'), { runs: [sampleRun()] })).toEqual(['log', 'reopen'])
    expect(offered({ status: 'archived' }, finished('archived'))).toEqual(['unarchive', 'reopen'])
  })

  test('`land` asks for the target branch if the base branch is unknown', () => {
    const task = sampleTask({ ...onBranch, status: 'done', workspace: { ...worktree, baseBranch: null } })
    const steps = nextSteps({ task, runs: ran, hasUnlandedWork: true, isWorkHere: true, reasons: [] })
    expect(steps.find(({ operation }) => operation === 'land')?.asks).toEqual(['into'])
  })
})

test('a card in review offers `diff`, then `approve` and `request-changes`', () => {
  const byPerson = (): Obstacle => obstacle('review_by_person', { boardReviewer: null })
  expect(offered({ ...onBranch, status: 'review' }, byPerson, { runs: ran })).toEqual([
    'diff',
    'approve',
    'request-changes',
  ])
})

test('a card that failed too often offers `log` first', () => {
  const open = (): Obstacle => obstacle('breaker_open', { failures: 2, error: 'exit 3', reason: null })
  expect(offered({ status: 'blocked', breakerOpen: true }, open, { runs: [sampleRun()] })).toEqual(['log', 'unblock'])
})

test('a card that waits for an answer offers `unblock` first', () => {
  const asked = (): Obstacle => obstacle('blocked', { kind: 'needs_input', reason: 'Which port?', by: 'coder' })
  const steps = offered({ ...onBranch, status: 'blocked' }, asked, { runs: ran })
  expect(steps).toEqual(['answer', 'diff'])
})

test('a remedy that two reasons share is offered once', () => {
  const task = sampleTask()
  const reasons = [reason(task, obstacle('no_dispatcher', {})), reason(task, obstacle('no_dispatcher', {}))]
  expect(nextSteps({ task, runs: [], hasUnlandedWork: false, isWorkHere: true, reasons })).toHaveLength(1)
})
