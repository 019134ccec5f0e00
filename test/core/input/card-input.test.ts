import { describe, expect, test } from 'vitest'
import { cardInputSchema, taskFrom } from '../../../src/core/input/card-input.ts'
import type { Actor } from '../../../src/core/actor.ts'
import { taskSchema } from '../../../src/core/task.ts'
import {
  HOUR,
  MINUTE,
  NOON,
  card,
  clockwork,
  orchestrator,
  person,
  runOf,
  sampleBoard,
  sampleTask,
  worker,
} from '../../helpers/sample.ts'

type Raw = Readonly<Record<string, unknown>>

const parse = (raw: Raw = {}) => cardInputSchema.safeParse({ id: card('a'), title: 'Do it', ...raw })
const faultOf = (raw: Raw): string =>
  parse(raw)
    .error?.issues.map((issue) => issue.message)
    .join('; ') ?? ''
const born = (
  raw: Raw = {},
  rest: {
    actor?: Actor
    parents?: readonly ReturnType<typeof sampleTask>[]
    board?: ReturnType<typeof sampleBoard>
  } = {},
) =>
  taskFrom(cardInputSchema.parse({ id: card('a'), title: 'Do it', ...raw }), {
    board: sampleBoard(),
    actor: person,
    now: NOON,
    parents: [],
    ...rest,
  })

describe('what somebody asks for', () => {
  test('is stored in one spelling: titles trimmed, agents lower-case, skills once each', () => {
    const card = cardInputSchema.parse({
      id: 't_0000000001',
      title: '  Fix it ',
      assignee: ' Coder ',
      reviewer: 'CRITIC',
      skills: ['git', ' git ', '', 'sql'],
    })
    expect(card).toMatchObject({ title: 'Fix it', assignee: 'coder', reviewer: 'critic', skills: ['git', 'sql'] })
  })

  test.each([
    [{ title: ' ' }, 'must not be blank'],
    [{ title: 'x'.repeat(501) }, 'at most 500 characters'],
    [{ body: 'x'.repeat(1_000_001) }, 'attach a file'],
    [{ assignee: ' ' }, 'must not be blank'],
    [{ skills: ['git, sql'] }, 'without commas'],
    [{ branch: 'main' }, 'worktree workspaces only'],
    [{ branch: '-x', workspace: { kind: 'worktree' } }, 'must not start with "-"'],
    [{ model: '--yolo' }, 'must not start with "-"'],
    [{ provider: '-c' }, 'must not start with "-"'],
    [{ effort: ' --dangerous' }, 'must not start with "-"'],
    [{ workspace: { kind: 'scratch', path: '/x' } }, 'takes no path'],
    [{ workspace: { kind: 'dir', path: 'x' } }, 'must be absolute'],
    [{ workspace: { kind: 'worktree', repo: 'x' } }, 'must be absolute'],
    [{ parents: [card('a')] }, 'the card itself'],
    [{ triage: true, blocked: true }, 'exclude each other'],
    [{ body: 'a\0b' }, 'NUL'],
  ] as readonly (readonly [Raw, string])[])('is refused as %j', (raw, words) => {
    expect(faultOf(raw)).toContain(words)
  })

  test.each([{ maxRetries: 0 }, { maxRuntimeMs: 0 }, { priority: 0.5 }, { id: 'x' }, { scheduledAt: -1 }] as Raw[])(
    'is refused as %j',
    (raw) => {
      expect(parse(raw).success).toBe(false)
    },
  )

  test('keeps the difference between no skills and the agent’s own', () => {
    expect(born({ skills: [] }).skills).toEqual([])
    expect(born().skills).toBeNull()
  })
})

describe('a new card', () => {
  test('is a whole row', () => {
    expect(taskSchema.safeParse(born()).error).toBeUndefined()
  })

  test('is ready, unless it waits for parents, a time, a person or a thought', () => {
    const open = [sampleTask({ id: card('p') })]
    expect(born().status).toBe('ready')
    expect(born({ parents: [card('p')] }, { parents: open })).toMatchObject({ status: 'todo', openParents: 1 })
    expect(born({ scheduledAt: NOON + HOUR })).toMatchObject({ status: 'scheduled', dueAt: NOON + HOUR })
    expect(born({ triage: true }).status).toBe('triage')
    expect(born({ blocked: true })).toMatchObject({ status: 'blocked', blockKind: 'needs_input', blockedBy: 'ada' })
    expect(born({ held: true })).toMatchObject({ status: 'ready', held: true })
  })

  test('does not wait for parents that are satisfied or deleted', () => {
    const parents = [
      sampleTask({ id: card('p'), status: 'done' }),
      sampleTask({ id: card('q'), status: 'archived' }),
      sampleTask({ id: card('r'), deletedAt: NOON }),
    ]
    expect(born({}, { parents })).toMatchObject({ status: 'ready', openParents: 0 })
  })

  test('takes its tenant from the first parent that has one', () => {
    const parents = [sampleTask({ id: card('p') }), sampleTask({ id: card('q'), tenant: 'blue' })]
    expect(born({}, { parents }).tenant).toBe('blue')
    expect(born({ tenant: 'red' }, { parents }).tenant).toBe('red')
  })

  test('takes the board’s directory as a dir or a repository, never as scratch', () => {
    const board = sampleBoard({ defaultDirectory: '/src' })
    expect(born({ workspace: { kind: 'dir' } }, { board }).workspace).toMatchObject({ path: '/src', repo: null })
    expect(born({ workspace: { kind: 'worktree' } }, { board }).workspace).toMatchObject({ path: null, repo: '/src' })
    expect(born({}, { board }).workspace).toMatchObject({ kind: 'scratch', path: null, repo: null, state: 'none' })
  })

  test('ranks by priority, then age', () => {
    expect(born({ priority: 2 }).rank).toBe(NOON - 30 * MINUTE)
  })

  test('of an agent waits for approval of its commands, unless its surface vouches for the agent', () => {
    const checks = ['npm test']
    const agent = worker(card('w'), runOf('w'))
    expect(born({ checks }).commandsApproved).toBe(true)
    expect(born({ checks }, { actor: clockwork }).commandsApproved).toBe(true)
    expect(born({ checks }, { actor: agent }).commandsApproved).toBe(false)
    expect(born({ checks }, { actor: orchestrator }).commandsApproved).toBe(false)
    expect(born({ checks, commandsApproved: true }, { actor: agent }).commandsApproved).toBe(true)
    expect(born({}, { actor: agent })).toMatchObject({ commandsApproved: false, createdByRun: runOf('w') })
  })
})
