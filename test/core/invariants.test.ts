/** Tests the invariant checks: a healthy board passes, and every broken board is reported. */
import { describe, expect, test } from 'vitest'
import type { Link } from '../../src/core/link.ts'
import { malformed, violations } from '../helpers/invariants.ts'
import type { BoardState } from '../helpers/invariants.ts'
import { HOUR, NOON, card, runOf, sampleBoard, sampleRun, sampleTask } from '../helpers/sample.ts'

const healthy: BoardState = {
  boards: [sampleBoard()],
  tasks: [sampleTask()],
  runs: [],
  links: [],
  events: [],
  now: NOON,
}
const broken = (patch: Partial<BoardState>): string => violations({ ...healthy, ...patch }).join('; ')
const a = sampleTask()
const b = sampleTask({ id: card('b') })
const open = sampleRun({ leaseUntil: NOON + HOUR })
const running = sampleTask({ status: 'running', currentRunId: open.id, dueAt: NOON })
const over = sampleRun({ endedAt: NOON, outcome: 'crashed' })

const link = (parentId: string, childId: string, patch: Partial<Link> = {}): Link => ({
  board: 'main',
  parentId: card(parentId),
  childId: card(childId),
  createdAt: NOON,
  waivedBy: null,
  waivedAt: null,
  ...patch,
})

const event = (id: number, board = 'main') =>
  ({ id, board, kind: 'created', taskId: null, runId: null, actor: 'ada', createdAt: NOON, data: {} }) as const

test('a healthy board breaks no invariant', () => {
  expect(violations(healthy)).toEqual([])
  expect(violations({ ...healthy, tasks: [running], runs: [open], events: [event(1), event(5)] })).toEqual([])
  expect(malformed({ ...healthy, runs: [over], links: [link('a', 'b')] })).toEqual([])
})

describe('a broken board', () => {
  test.each<[string, Partial<BoardState>]>([
    ['running without an open run', { tasks: [running] }],
    ['ready with the open run', { runs: [open] }],
    ['has 2 open runs', { tasks: [running], runs: [open, { ...open, id: runOf('b'), attempt: 2 }] }],
    ['running without a current run', { tasks: [{ ...running, currentRunId: null }], runs: [open] }],
    ['with a current run', { tasks: [{ ...a, currentRunId: runOf('z') }] }],
    ['its open run is', { tasks: [{ ...running, currentRunId: runOf('z') }], runs: [open] }],
    ['running in the trash', { tasks: [{ ...running, deletedAt: NOON, deletedBy: 'ada' }], runs: [open] }],
    ['with outcome null', { runs: [sampleRun({ endedAt: NOON })] }],
    ['with outcome crashed', { tasks: [running], runs: [{ ...open, outcome: 'crashed' }] }],
    ['ended before it started', { runs: [{ ...over, endedAt: NOON - 1 }] }],
    ['belongs to no card', { tasks: [], runs: [over] }],
    ['another board than', { runs: [{ ...over, board: 'side' }] }],
    ['is attempt 2, not 1', { runs: [{ ...over, attempt: 2 }] }],
    ['is attempt 1, not 2', { runs: [over, { ...over, id: runOf('b') }] }],
    ['half a verdict', { runs: [{ ...over, verdictAt: NOON }] }],
    ['without a token or a lease', { tasks: [running], runs: [{ ...open, leaseUntil: null }] }],
    ["a person's run with a lease", { runs: [{ ...over, kind: 'manual', leaseUntil: NOON }] }],
    ['counts 0 open parents instead of 1', { tasks: [a, b], links: [link('a', 'b')] }],
    ['counts 1 open parents instead of 0', { tasks: [{ ...a, openParents: 1 }] }],
    ['todo without an open parent', { tasks: [{ ...a, status: 'todo' }] }],
    ['ready with 1 open parents', { tasks: [a, { ...b, openParents: 1 }], links: [link('a', 'b')] }],
    ['blocked without a kind', { tasks: [{ ...a, status: 'blocked' }] }],
    ['half a block', { tasks: [{ ...a, blockReason: 'x' }] }],
    ['ready with a transient block', { tasks: [{ ...a, blockKind: 'transient' }] }],
    ['todo with a transient block', { tasks: [{ ...a, status: 'todo', blockKind: 'transient' }] }],
    ['breaker of t_000000000a is open though it is ready', { tasks: [{ ...a, breakerOpen: true }] }],
    ['open, blocked as review', { tasks: [{ ...a, status: 'blocked', blockKind: 'review', breakerOpen: true }] }],
    ['cooldownUntil and cooldownReason', { tasks: [{ ...a, cooldownReason: 'retry' }] }],
    ['guardUntil and guardReason', { tasks: [{ ...a, guardReason: 'active_pr' }] }],
    ['deletedAt and deletedBy', { tasks: [{ ...a, deletedBy: 'ada' }] }],
    ['archived and archivedFrom', { tasks: [{ ...a, status: 'archived' }] }],
    ['done and completedAt', { tasks: [{ ...a, status: 'done' }] }],
    ['on a board that does not exist', { boards: [] }],
    ['after its deadline', { tasks: [{ ...a, cooldownUntil: NOON + 1, cooldownReason: 'retry' }] }],
    ['has rank 0', { tasks: [{ ...a, rank: 0 }] }],
    ['missing end', { links: [link('a', 'x')] }],
    ['crosses boards', { tasks: [a, b], links: [link('a', 'b', { board: 'side' })] }],
    ['half a waiver', { tasks: [a, b], links: [link('a', 'b', { waivedBy: 'ada' })] }],
    ['links in a cycle', { tasks: [a, b], links: [link('a', 'b'), link('b', 'a')] }],
    ['event 1 comes after 1', { events: [event(1), event(1)] }],
    ['event 1 is on a board that does not exist', { events: [event(1, 'side')] }],
    ['card id t_000000000a exists twice', { tasks: [a, a] }],
    ['run id r_000000000a exists twice', { runs: [over, over] }],
    [
      'idempotency key',
      {
        tasks: [
          { ...a, idempotencyKey: 'k' },
          { ...b, idempotencyKey: 'k' },
        ],
      },
    ],
  ])('a broken board is reported: %s', (words, patch) => {
    expect(broken(patch)).toContain(words)
  })

  test('a row that does not match its schema is reported', () => {
    const faults = malformed({ ...healthy, tasks: [{ ...a, title: 'half \ud83d' }], runs: [{ ...over, attempt: 0 }] })
    expect(faults).toHaveLength(2)
  })
})
