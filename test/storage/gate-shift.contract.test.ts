/**
 * Tests that the SQL that changes the open parents of all children at once has the same effect on each child as core's
 * `shiftGate`.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { RunId } from '../../src/core/ids.ts'
import { shiftGate } from '../../src/core/gates/readiness.ts'
import type { Task } from '../../src/core/task.ts'
import { STATUSES } from '../../src/core/vocabulary.ts'
import type { Status } from '../../src/core/vocabulary.ts'
import type { Dialect } from '../../src/storage/dialect.ts'
import { shiftGates } from '../../src/storage/gate-shift.ts'
import { insert } from '../../src/storage/queries/write.ts'
import { BOARD, LINK, RUN, TASK } from '../../src/storage/rows.ts'
import { SqlStore } from '../../src/storage/sql-store.ts'
import { run } from '../../src/storage/tx.ts'
import type { Tx } from '../../src/storage/tx.ts'
import { NOON, card, runOf, sampleBoard, sampleRun, sampleTask } from '../helpers/sample.ts'
import { describeStores } from '../helpers/stores.ts'
import { dialectOn, empty } from './dialects.ts'

interface Child {
  readonly status: Status
  readonly deleted: boolean
  /** The number of other open parents of the child. */
  readonly others: number
  readonly linked: boolean
  readonly waived: boolean
  readonly waitsByWord: boolean
}

const child: fc.Arbitrary<Child> = fc.record({
  status: fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom<Status>('todo', 'todo', 'ready', 'running') },
    { weight: 2, arbitrary: fc.constantFrom(...STATUSES) },
  ),
  deleted: fc.constantFrom(false, false, false, true),
  others: fc.constantFrom(0, 0, 1, 2),
  linked: fc.constantFrom(true, true, true, false),
  waived: fc.constantFrom(false, false, false, true),
  waitsByWord: fc.boolean(),
})

const PARENT = card('parent')
const NOW = NOON + 1000

/** Returns the child before the shift, with a count of open parents that matches its links. */
function rowOf(spec: Child, at: number, delta: 1 | -1): Task {
  const counted = spec.linked && !spec.waived && delta < 0 ? 1 : 0
  const blocked = spec.status === 'todo' && spec.waitsByWord
  return sampleTask({
    id: card(`c${at}`),
    status: spec.status,
    openParents: spec.others + counted,
    deletedAt: spec.deleted && spec.status !== 'running' ? NOON : null,
    deletedBy: spec.deleted && spec.status !== 'running' ? 'ada' : null,
    currentRunId: spec.status === 'running' ? runOf(`c${at}`) : null,
    blockKind: blocked ? 'dependency' : null,
    blockReason: blocked ? 'waits' : null,
    blockedBy: blocked ? 'agent:coder' : null,
  })
}

function* put(children: readonly Child[], rows: readonly Task[]): Tx<void> {
  yield* run(insert(BOARD, sampleBoard()))
  yield* run(insert(TASK, sampleTask({ id: PARENT })))
  for (const [at, row] of rows.entries()) {
    yield* run(insert(TASK, row))
    if (row.currentRunId !== null)
      yield* run(insert(RUN, sampleRun({ id: row.currentRunId, taskId: row.id, attempt: 1 })))
    const { linked, waived } = children[at] ?? { linked: false, waived: false }
    const waiver = waived ? { waivedBy: 'ada', waivedAt: NOON } : { waivedBy: null, waivedAt: null }
    if (linked)
      yield* run(insert(LINK, { board: 'main', parentId: PARENT, childId: row.id, createdAt: NOON, ...waiver }))
  }
}

async function compare(dialect: Dialect, children: readonly Child[], delta: 1 | -1, only: number | null) {
  const rows = children.map((spec, at) => rowOf(spec, at, delta))
  await dialect.transact(() => put(children, rows))
  const one = only === null ? undefined : rows[only % rows.length]
  const shift = { board: 'main', parent: PARENT, delta, cause: 'parent_reopened', now: NOW } as const
  const events = await dialect.transact(() =>
    shiftGates(dialect, one === undefined ? shift : { ...shift, child: one.id }),
  )

  const moves = rows.map((row, at) => {
    const { linked = false, waived = true } = children[at] ?? {}
    const moves = linked && !waived && (one === undefined || one.id === row.id)
    return { row, shift: moves ? shiftGate(row, shift) : null }
  })
  const store = new SqlStore(dialect)
  const exported = await store.exportAll()
  const expected = moves.map(({ row, shift }) => ({ ...row, ...shift?.patch, updatedAt: shift ? NOW : row.updatedAt }))
  expect(exported.task?.filter((task) => task.id !== PARENT)).toEqual(expected.sort((a, b) => (a.id < b.id ? -1 : 1)))
  expect(events).toEqual(
    moves.sort((a, b) => (a.row.id < b.row.id ? -1 : 1)).flatMap(({ shift }) => shift?.events ?? []),
  )
  const marked = new Set<RunId | null>(
    moves.flatMap(({ row, shift }) =>
      shift !== null && delta > 0 && row.status === 'running' ? [row.currentRunId] : [],
    ),
  )
  for (const { id, parentReopenedAt } of exported.run ?? [])
    expect(parentReopenedAt).toBe(marked.has(id as RunId) ? NOW : null)
}

describeStores('a change of open parents', (open, engine) => {
  it('SQL and core change the open parents of each child in the same way', async () => {
    const test = await open()
    const dialect = dialectOn(test, () => NOW)
    await fc.assert(
      fc
        .asyncProperty(
          fc.array(child, { minLength: 1, maxLength: 12, size: 'max' }),
          fc.constantFrom(1 as const, -1 as const),
          fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat({ max: 11 }) }),
          (children, delta, only) => compare(dialect, children, delta, only),
        )
        .beforeEach(() => empty(test)),
      { numRuns: engine === 'sqlite' ? 150 : 30 },
    )
  })
})
