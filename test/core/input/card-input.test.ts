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
const newCard = (
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

describe('the input of a card', () => {
  test('titles are trimmed, agents are lower-cased, and skills are listed once', () => {
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
  ] as readonly (readonly [Raw, string])[])('the input %j is refused', (raw, words) => {
    expect(faultOf(raw)).toContain(words)
  })

  test.each([{ maxRetries: 0 }, { maxRuntimeMs: 0 }, { priority: 0.5 }, { id: 'x' }, { scheduledAt: -1 }] as Raw[])(
    'the value %j is refused',
    (raw) => {
      expect(parse(raw).success).toBe(false)
    },
  )

  test("an empty list of skills differs from no list, which means the agent's skills", () => {
    expect(newCard({ skills: [] }).skills).toEqual([])
    expect(newCard().skills).toBeNull()
  })
})

describe('a new card', () => {
  test('a new card is a valid row', () => {
    expect(taskSchema.safeParse(newCard()).error).toBeUndefined()
  })

  test('a new card is ready unless its input makes it wait', () => {
    const open = [sampleTask({ id: card('p') })]
    expect(newCard().status).toBe('ready')
    expect(newCard({ parents: [card('p')] }, { parents: open })).toMatchObject({ status: 'todo', openParents: 1 })
    expect(newCard({ scheduledAt: NOON + HOUR })).toMatchObject({ status: 'scheduled', dueAt: NOON + HOUR })
    expect(newCard({ triage: true }).status).toBe('triage')
    expect(newCard({ blocked: true })).toMatchObject({ status: 'blocked', blockKind: 'needs_input', blockedBy: 'ada' })
    expect(newCard({ held: true })).toMatchObject({ status: 'ready', held: true })
  })

  test('a new card does not wait for satisfied or deleted parents', () => {
    const parents = [
      sampleTask({ id: card('p'), status: 'done' }),
      sampleTask({ id: card('q'), status: 'archived' }),
      sampleTask({ id: card('r'), deletedAt: NOON }),
    ]
    expect(newCard({}, { parents })).toMatchObject({ status: 'ready', openParents: 0 })
  })

  test('a new card takes its tenant from the first parent that has one', () => {
    const parents = [sampleTask({ id: card('p') }), sampleTask({ id: card('q'), tenant: 'blue' })]
    expect(newCard({}, { parents }).tenant).toBe('blue')
    expect(newCard({ tenant: 'red' }, { parents }).tenant).toBe('red')
  })

  test("the board's directory is used only for dir and worktree cards", () => {
    const board = sampleBoard({ defaultDirectory: '/src' })
    expect(newCard({ workspace: { kind: 'dir' } }, { board }).workspace).toMatchObject({ path: '/src', repo: null })
    expect(newCard({ workspace: { kind: 'worktree' } }, { board }).workspace).toMatchObject({
      path: null,
      repo: '/src',
    })
    expect(newCard({}, { board }).workspace).toMatchObject({ kind: 'scratch', path: null, repo: null, state: 'none' })
  })

  test('the rank of a new card follows its priority', () => {
    expect(newCard({ priority: 2 }).rank).toBe(NOON - 30 * MINUTE)
  })

  test('commands of a card created by an agent need approval', () => {
    const checks = ['npm test']
    const agent = worker(card('w'), runOf('w'))
    expect(newCard({ checks }).commandsApproved).toBe(true)
    expect(newCard({ checks }, { actor: clockwork }).commandsApproved).toBe(true)
    expect(newCard({ checks }, { actor: agent }).commandsApproved).toBe(false)
    expect(newCard({ checks }, { actor: orchestrator }).commandsApproved).toBe(false)
    expect(newCard({ checks, commandsApproved: true }, { actor: agent }).commandsApproved).toBe(true)
    expect(newCard({}, { actor: agent })).toMatchObject({ commandsApproved: false, createdByRun: runOf('w') })
  })
})
