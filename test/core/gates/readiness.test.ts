import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { TaskId } from '../../../src/core/ids.ts'
import { findCycle, gates, readyOrTodo, restoredStatus, shiftGate } from '../../../src/core/gates/readiness.ts'
import { isSatisfied } from '../../../src/core/status.ts'
import type { Task } from '../../../src/core/task.ts'
import { STATUSES } from '../../../src/core/vocabulary.ts'
import { NOON, card, runOf, sampleTask } from '../../helpers/sample.ts'

describe('a parent', () => {
  test('only done and archived parents are satisfied', () => {
    expect(STATUSES.filter(isSatisfied)).toEqual(['done', 'archived'])
  })

  test('a parent gates its children until the parent is satisfied or deleted', () => {
    expect(gates(sampleTask({ status: 'blocked' }))).toBe(true)
    expect(gates(sampleTask({ status: 'done' }))).toBe(false)
    expect(gates(sampleTask({ status: 'ready', deletedAt: NOON }))).toBe(false)
  })
})

describe('todo or ready', () => {
  test('a card is todo while a parent gates it, and ready otherwise', () => {
    expect(readyOrTodo({ openParents: 2, tournament: null })).toBe('todo')
    expect(readyOrTodo({ openParents: 0, tournament: null })).toBe('ready')
  })

  test('a restored card is todo or ready, depending on its parents', () => {
    expect(restoredStatus({ openParents: 1, tournament: null }, 'ready')).toBe('todo')
    expect(restoredStatus({ openParents: 0, tournament: null }, 'todo')).toBe('ready')
    expect(restoredStatus({ openParents: 1, tournament: null }, 'blocked')).toBe('blocked')
    expect(restoredStatus({ openParents: 1, tournament: null }, 'review')).toBe('review')
  })
})

describe('a change of open parents', () => {
  const shift = (child: Partial<Task>, delta: 1 | -1) =>
    shiftGate(sampleTask(child), { delta, parent: card('p'), cause: 'parent_reopened' })

  test('the last satisfied parent makes a card ready and ends its block', () => {
    const { patch, events } = shift({ status: 'todo', openParents: 1, blockKind: 'dependency' }, -1)
    expect(patch).toEqual({ openParents: 0, status: 'ready', blockKind: null, blockReason: null, blockedBy: null })
    expect(events.map((event) => event.kind)).toEqual(['promoted'])
  })

  test('a card waits while other parents still gate it', () => {
    expect(shift({ status: 'todo', openParents: 2 }, -1)).toEqual({ patch: { openParents: 1 }, events: [] })
  })

  test('a ready card returns to todo when a parent gates it', () => {
    const { patch, events } = shift({ status: 'ready', openParents: 0 }, 1)
    expect(patch).toEqual({ openParents: 1, status: 'todo' })
    expect(events).toEqual([
      { kind: 'demoted', taskId: card('a'), data: { cause: 'parent_reopened', parent: card('p') } },
    ])
  })

  test('a ready card stays ready when one of its parents stops gating it', () => {
    expect(shift({ status: 'ready', openParents: 2 }, -1)).toEqual({ patch: { openParents: 1 }, events: [] })
  })

  test('a running card continues, with an event about the parent', () => {
    const { patch, events } = shift({ status: 'running', openParents: 0, currentRunId: runOf('r') }, 1)
    expect(patch).toEqual({ openParents: 1 })
    expect(events).toEqual([
      { kind: 'parent_reopened', taskId: card('a'), runId: runOf('r'), data: { parent: card('p') } },
    ])
  })

  test('a change of open parents does not affect deleted cards or cards in other statuses', () => {
    for (const status of ['triage', 'scheduled', 'review', 'blocked', 'done', 'archived'] as const)
      expect(shift({ status, openParents: 1 }, -1)).toEqual({ patch: { openParents: 0 }, events: [] })
    expect(shift({ status: 'todo', openParents: 1, deletedAt: NOON }, -1)).toEqual({
      patch: { openParents: 0 },
      events: [],
    })
    expect(shift({ status: 'ready', openParents: 0, deletedAt: NOON }, 1)).toEqual({
      patch: { openParents: 1 },
      events: [],
    })
  })
})

describe('a cycle in a batch', () => {
  const graph = (edges: Record<string, string[]>): Map<TaskId, TaskId[]> =>
    new Map(Object.entries(edges).map(([id, parents]) => [card(id), parents.map(card)]))

  test('a diamond and parents outside the batch are not a cycle', () => {
    expect(findCycle(graph({ d: ['b', 'c'], b: ['a'], c: ['a'], a: ['old'] }))).toBeNull()
    expect(findCycle(graph({}))).toBeNull()
  })

  test('a cycle is reported as the list of its cards', () => {
    const cycle = findCycle(graph({ x: [], a: ['b'], b: ['c', 'x'], c: ['a'] })) ?? []
    expect(cycle[0]).toBe(cycle.at(-1))
    expect(new Set(cycle)).toEqual(new Set(['a', 'b', 'c'].map(card)))
  })

  test('a card that waits for itself is a cycle', () => {
    expect(findCycle(graph({ a: ['a'] }))).toEqual([card('a'), card('a')])
  })

  test('a cycle is found exactly when no parents-first order exists', () => {
    const edges = fc.array(fc.tuple(fc.nat({ max: 5 }), fc.nat({ max: 5 })), { maxLength: 12 })
    fc.assert(
      fc.property(edges, (pairs) => {
        const parentsOf = new Map<TaskId, TaskId[]>()
        for (let id = 0; id <= 5; id += 1)
          parentsOf.set(
            card(id),
            pairs.filter(([child]) => child === id).map(([, parent]) => card(parent)),
          )
        const placed = new Set<TaskId>()
        for (let round = 0; round <= 6; round += 1)
          for (const [id, parents] of parentsOf) if (parents.every((parent) => placed.has(parent))) placed.add(id)
        expect(findCycle(parentsOf) === null).toBe(placed.size === 6)
      }),
    )
  })

  test('a chain of ten thousand cards does not exhaust the stack', () => {
    const chain = new Map<TaskId, TaskId[]>()
    for (let at = 0; at < 10_000; at += 1) chain.set(card(at), at === 0 ? [] : [card(at - 1)])
    expect(findCycle(chain)).toBeNull()
    chain.set(card(0), [card(9_999)])
    expect(findCycle(chain)).toHaveLength(10_001)
  })
})
