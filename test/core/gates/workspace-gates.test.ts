import { describe, expect, test } from 'vitest'
import type { Task } from '../../../src/core/task.ts'
import { folderOwner, isElsewhere, pinnedBranch, locationObstacles } from '../../../src/core/gates/workspace-gates.ts'
import type { BranchHolder } from '../../../src/core/gates/workspace-gates.ts'
import { reasonSentence } from '../../../src/cli/render/reason-text.ts'
import { card, sampleTask, sampleWorkspace } from '../../helpers/sample.ts'

const REPO = { kind: 'worktree', repo: '/src' } as const
const MADE = { ...REPO, state: 'live', base: 'c0ffee' } as const

const pinned = (patch: Partial<Task> = {}, place: Partial<Task['workspace']> = {}): Task =>
  sampleTask({ branch: 'feat/x', ...patch, workspace: sampleWorkspace({ ...REPO, ...place }) })

const holder = (patch: Partial<BranchHolder> = {}): BranchHolder => ({
  id: card('p'),
  board: 'main',
  status: 'done',
  deleted: false,
  state: 'live',
  machine: null,
  host: null,
  owner: null,
  needed: false,
  ...patch,
})

const messages = (task: Task, ...holders: BranchHolder[]): string[] =>
  locationObstacles(task, 'laptop', holders).map((found) => reasonSentence(found))

describe('a worktree of another board', () => {
  const discardable = (patch: Partial<BranchHolder>) =>
    locationObstacles(pinned(), 'laptop', [holder({ board: 'other', ...patch })]).map(({ params }) => params)

  test('a person may discard a worktree that no unfinished card needs', () => {
    expect(discardable({})).toMatchObject([{ card: card('p'), board: 'other', discardable: true }])
    for (const patch of [{ status: 'todo' }, { deleted: true }, { owner: card('o') }, { needed: true }] as const)
      expect(discardable(patch)).toMatchObject([{ discardable: false }])
  })
})

describe('a branch that a card names', () => {
  test('only a worktree card that names a branch reserves the branch', () => {
    expect(pinnedBranch(pinned())).toEqual({ repo: '/src', branch: 'feat/x' })
    expect(pinnedBranch(pinned({ branch: `muster/${card('a')}` }))).toMatchObject({ branch: `muster/${card('a')}` })
    expect(pinnedBranch(pinned({ branch: null }))).toBeNull()
    expect(pinnedBranch(sampleTask({ branch: 'feat/x' }))).toBeNull()
  })

  test('a card can use the branch of a finished, deleted or waiting card', () => {
    for (const one of [holder(), holder({ status: 'todo' }), holder({ status: 'blocked', deleted: true })]) {
      expect(messages(pinned(), one)).toEqual([])
      expect(folderOwner(pinned(), [one])).toBe(card('p'))
    }
    expect(folderOwner(pinned(), [holder({ owner: card('first') })])).toBe(card('first'))
    expect(folderOwner(pinned(), [holder({ owner: pinned().id })])).toBeNull()
  })

  test.each(['running', 'ready', 'review', 'blocked', 'triage', 'scheduled'] as const)(
    'a card waits while another card on its branch is %s',
    (status) => expect(messages(pinned(), holder({ status }))[0]).toContain(`${card('p')} (${status})`),
  )

  test('a card whose worktree exists waits only while another card runs in that worktree', () => {
    const begun = pinned({}, { ...MADE, owner: card('p') })
    expect(messages(begun, holder({ status: 'ready' }))).toEqual([])
    expect(messages(begun, holder({ status: 'running' }))[0]).toContain('in use')
    expect(folderOwner(begun, [holder({ id: card('q') })])).toBe(card('p'))
  })

  test('a card waits while its branch is swept, or used on another machine or board', () => {
    expect(messages(pinned(), holder({ state: 'sweeping' }))[0]).toContain('is being removed')
    expect(messages(pinned(), holder({ machine: 'm_2', host: 'server' }))[0]).toContain('on machine server (m_2)')
    expect(messages(pinned(), holder({ board: 'other' }))[0]).toContain('on board other')
  })
})

describe('files on another machine', () => {
  const there = { state: 'live', machine: 'm_2', host: 'server' } as const

  test('a card with files on another machine starts only there', () => {
    for (const kind of ['scratch', 'worktree'] as const) {
      const task = sampleTask({ workspace: sampleWorkspace({ ...there, kind }) })
      expect(messages(task)).toEqual(['The files are on machine server (m_2).'])
      expect(locationObstacles(task, 'm_2', [])).toEqual([])
    }
  })

  test('removed workspaces and directory workspaces belong to no machine', () => {
    expect(isElsewhere(sampleWorkspace({ ...there, state: 'gone' }), 'laptop')).toBe(false)
    expect(isElsewhere(sampleWorkspace({ ...there, kind: 'dir', path: '/srv' }), 'laptop')).toBe(false)
    expect(isElsewhere(sampleWorkspace({ state: 'live' }), 'laptop')).toBe(false)
  })
})
