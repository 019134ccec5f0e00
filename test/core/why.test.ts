import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GATES } from '../../src/core/admission.ts'
import type { Reason } from '../../src/core/admission.ts'
import type { Run } from '../../src/core/run.ts'
import type { Task } from '../../src/core/task.ts'
import { whyNotRunning } from '../../src/core/why.ts'
import type { Situation } from '../../src/core/why.ts'
import { FakeClock, runScript, scripts } from '../helpers/commands.ts'
import { ModelStore } from '../helpers/model-store.ts'
import { HOUR, NOON, card, runOf, sampleBoard, sampleRun, sampleTask } from '../helpers/sample.ts'

const situation = (task: Partial<Task> = {}, rest: Partial<Situation> = {}): Situation => ({
  task: sampleTask({ assignee: 'coder', ...task }),
  board: sampleBoard(),
  now: NOON,
  openParents: [],
  slots: [],
  account: null,
  openRuns: { machine: 0, board: 0, agent: 0, account: 0 },
  caps: { machine: null, agent: null, account: null },
  directoryUser: null,
  ownWork: false,
  run: null,
  here: [],
  isDispatched: true,
  ...rest,
})

const gates = (given: Situation): string[] => whyNotRunning(given).map(({ gate }) => gate)

const noBody: Reason = { gate: 'harness', message: 'It has no body.', clears: 'muster edit', until: null }

describe('a card that nothing holds', () => {
  test('waits for the next pass of a dispatcher, or for one to be started', () => {
    expect(whyNotRunning(situation())).toMatchObject([{ gate: 'dispatcher', message: 'Nothing holds it.' }])
    expect(whyNotRunning(situation({}, { isDispatched: false }))).toMatchObject([
      { gate: 'dispatcher', clears: 'muster up' },
    ])
  })
})

describe('a card that is held in many ways', () => {
  test('tells all of them in the order of the gates, whatever its status says', () => {
    const held = situation(
      { status: 'blocked', blockKind: 'needs_input', blockReason: 'which?', blockedBy: 'ada', held: true },
      {
        openParents: [{ id: card('p'), title: 'Parent', status: 'running' }],
        here: [noBody],
        isDispatched: false,
        openRuns: { machine: 4, board: 4, agent: 4, account: 0 },
        caps: { machine: 4, agent: null, account: null },
      },
    )
    expect(gates(held)).toEqual(['blocked', 'parents', 'hold', 'harness', 'cap', 'dispatcher'])
    const [blocked, parents] = whyNotRunning(held)
    expect(blocked?.message).toBe('Blocked (needs_input) by ada: which?')
    expect(parents?.message).toBe(`Waits for ${card('p')} "Parent" (running).`)
  })

  test('tells of an archived board and of its own block', () => {
    const board = sampleBoard({}, { archivedAt: NOON })
    const blocked = { status: 'blocked', blockKind: 'needs_input', blockReason: 'which?', blockedBy: 'ada' } as const
    expect(gates(situation(blocked, { board }))).toEqual(['blocked', 'board_archived'])
  })

  test('names five of many parents and counts the rest', () => {
    const openParents = [1, 2, 3, 4, 5, 6, 7].map((at) => ({ id: card(at), title: 'T', status: 'todo' as const }))
    expect(whyNotRunning(situation({ status: 'todo' }, { openParents }))[0]?.message).toMatch(/\(todo\) and 2 more\.$/)
  })
})

describe('a card that runs', () => {
  const running = (run: Partial<Run>): Reason | undefined =>
    whyNotRunning(
      situation({ status: 'running', currentRunId: runOf('a') }, { run: { ...sampleRun(), id: runOf('a'), ...run } }),
    )[0]

  test('says since when, as which attempt and by whom', () => {
    const reason = running({ attempt: 2, agent: 'coder', startedAt: NOON, maxRuntimeMs: HOUR })
    expect(reason).toMatchObject({ gate: 'running', until: NOON + HOUR })
    expect(reason?.message).toBe(`Running since 2026-11-10T12:00:00.000Z as ${runOf('a')}, attempt 2, by coder.`)
  })

  test('of a person ends by a verb, and one that is being ended says by whose word', () => {
    expect(running({ kind: 'manual', agent: null, claimedBy: 'ada' })?.clears).toContain('muster complete')
    const intent = { verb: 'complete', by: 'ada' } as Run['intent']
    expect(running({ intent })?.clears).toBe('It is being ended: ada asked for complete')
  })
})

describe('a card that is over', () => {
  test('says only that', () => {
    expect(gates(situation({ status: 'done' }, { isDispatched: false }))).toEqual(['finished'])
    expect(gates(situation({ status: 'archived', held: true }))).toEqual(['finished'])
    expect(gates(situation({ deletedAt: NOON, held: true }, { isDispatched: false }))).toEqual(['deleted'])
  })
})

describe('a review', () => {
  test('for an agent says whose turn it is, then what holds it', () => {
    const told = whyNotRunning(situation({ status: 'review', reviewer: 'critic' }, { isDispatched: false }))
    expect(told).toMatchObject([
      { gate: 'reviewer', message: 'In review: critic is to review it.' },
      { gate: 'dispatcher', clears: 'muster up' },
    ])
    const cooling = { status: 'review', reviewer: 'critic', reviewFailures: 1, consecutiveFailures: 4 } as const
    const waits = { ...cooling, cooldownUntil: NOON + HOUR, cooldownReason: 'retry' } as const
    const [reviewer, cooldown] = whyNotRunning(situation(waits))
    expect(reviewer?.clears).toContain('muster approve')
    expect(cooldown?.message).toMatch(/^Failed once; next try at /)
  })

  test('says why the reviewer of the board does not come', () => {
    const own = { board: sampleBoard({ reviewer: 'coder' }) }
    const [told] = whyNotRunning(situation({ status: 'review', reviewer: null }, own))
    expect(told?.message).toBe('Waits for a person to review it: coder reviews this board, but not its own work.')
    const [failed] = whyNotRunning(
      situation({ status: 'review', reviewer: 'critic', breakerOpen: true, reviewFailures: 2 }),
    )
    expect(failed?.message).toBe('Waits for a person to review it: its reviewer critic failed 2 times.')
    expect(failed?.clears).toContain('--reviewer <agent>')
  })

  test('without a reviewer waits for a person, and no dispatcher is missed', () => {
    expect(gates(situation({ status: 'review', reviewer: null }, { isDispatched: false }))).toEqual(['reviewer'])
  })

  test('that is blocked does not miss an assignee', () => {
    const blocked = { status: 'blocked', blockKind: 'review', blockReason: 'x', blockedBy: 'ada' } as const
    expect(gates(situation({ ...blocked, assignee: null, resumeStatus: 'review' }))).toEqual(['blocked'])
  })
})

/** The rows of a card as a store would find them. */
function found(store: ModelStore, task: Task, now: number): Situation | null {
  const board = store.board(task.board)
  if (board === null) return null
  const openParents = store.openParents(task.id).flatMap((id) => store.task(id) ?? [])
  const slots = store.state().slots
  return situation(
    {},
    { task, board, now, openParents, slots, run: store.openRun(task.id), isDispatched: now % 2 === 0 },
  )
}

test('in no life of a board is there a card without a stated reason and what clears it', async () => {
  await fc.assert(
    fc.asyncProperty(scripts(), async (script) => {
      const clock = new FakeClock(NOON)
      const store = new ModelStore(clock.now)
      const faults: string[] = []
      const look = (): void => {
        for (const task of store.state().tasks) {
          const around = found(store, task, clock.now())
          const reasons = around === null ? null : whyNotRunning(around)
          if (reasons === null) continue
          const order = reasons.map(({ gate }) => GATES.indexOf(gate))
          if (reasons.length === 0) faults.push(`${task.id} is ${task.status} for no reason`)
          if (reasons.some(({ message, clears }) => message === '' || clears === ''))
            faults.push(`${task.id}: no words`)
          if (order.some((place, at) => place < (order[at - 1] ?? -1))) faults.push(`${task.id}: ${order.join(' ')}`)
          if ((task.status === 'running') !== (reasons[0]?.gate === 'running')) faults.push(`${task.id}: running?`)
        }
      }
      await runScript(script, (command) => store.decide(command), clock, look)
      expect(faults).toEqual([])
    }),
    { numRuns: Number(process.env.MUSTER_LIVES ?? 30) },
  )
})
