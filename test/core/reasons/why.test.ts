import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GATES, obstacle } from '../../../src/core/reasons/reason.ts'
import type { Obstacle, Reason } from '../../../src/core/reasons/reason.ts'
import type { Run } from '../../../src/core/run.ts'
import type { Task } from '../../../src/core/task.ts'
import { whyNotRunning } from '../../../src/core/reasons/why.ts'
import type { Situation } from '../../../src/core/reasons/why.ts'
import { FakeClock, runScript, scripts } from '../../helpers/commands.ts'
import { ModelStore } from '../../helpers/model-store.ts'
import { MACHINES } from '../../helpers/script.ts'
import { HOUR, NOON, card, runOf, sampleBoard, sampleRun, sampleTask } from '../../helpers/sample.ts'
import { REMEDY_KINDS, kindOf, reasonsIn, refusalsOf, situation } from '../remedy-trial.ts'
import { TestBoard, blocked } from '../test-board.ts'

const operations = (reason: Reason | undefined): string[] => (reason?.remedies ?? []).map(({ operation }) => operation)

const gates = (given: Situation): string[] => whyNotRunning(given).map(({ gate }) => gate)

const noBody = obstacle('body_missing', { agent: 'shell' })

describe('a card without obstacles', () => {
  test('a card without obstacles waits for a dispatcher', () => {
    expect(whyNotRunning(situation())).toMatchObject([{ gate: 'dispatcher', code: 'next_pass', remedies: [] }])
    expect(whyNotRunning(situation({}, { isDispatched: false }))).toMatchObject([
      { gate: 'dispatcher', code: 'no_dispatcher', remedies: [{ operation: 'up' }] },
    ])
  })
})

describe('a card with several obstacles', () => {
  test('a card lists all its obstacles in the order of the gates', () => {
    const held = situation(
      { status: 'blocked', blockKind: 'needs_input', blockReason: 'which?', blockedBy: 'ada', held: true },
      {
        openParents: [{ id: card('p'), title: 'Parent', status: 'running' }],
        localObstacles: [noBody],
        isDispatched: false,
        openRuns: { machine: 4, board: 4, agent: 4, account: 0 },
        caps: { machine: 4, agent: null, account: null },
      },
    )
    expect(gates(held)).toEqual(['blocked', 'parents', 'hold', 'harness', 'cap', 'dispatcher'])
    const [blocked, parents] = whyNotRunning(held)
    expect(blocked).toMatchObject({ code: 'blocked', params: { kind: 'needs_input', reason: 'which?', by: 'ada' } })
    expect(parents?.params).toEqual({ count: 1, parents: [{ id: card('p'), title: 'Parent', status: 'running' }] })
  })

  test('a blocked card on an archived board has both reasons', () => {
    const board = sampleBoard({}, { archivedAt: NOON })
    const blocked = { status: 'blocked', blockKind: 'needs_input', blockReason: 'which?', blockedBy: 'ada' } as const
    expect(gates(situation(blocked, { board }))).toEqual(['blocked', 'board_archived'])
  })

  test('a triage card with open parents is promoted only with force', () => {
    const parent = sampleTask({ status: 'ready' })
    const [triage, parents] = whyNotRunning(situation({ status: 'triage', openParents: 1 }, { openParents: [parent] }))
    expect(triage).toMatchObject({ code: 'triage', remedies: [] })
    expect(parents).toMatchObject({
      code: 'parents_open',
      remedies: [{ operation: 'promote', input: { force: true } }],
    })
  })

  test('the reason names five open parents and counts all', () => {
    const openParents = [1, 2, 3, 4, 5, 6, 7].map((at) => ({ id: card(at), title: 'T', status: 'todo' as const }))
    const parents = openParents.slice(0, 5)
    expect(whyNotRunning(situation({ status: 'todo' }, { openParents }))[0]?.params).toEqual({ count: 7, parents })
  })
})

describe('a running card', () => {
  const running = (run: Partial<Run>): Reason | undefined =>
    whyNotRunning(
      situation({ status: 'running', currentRunId: runOf('a') }, { run: { ...sampleRun(), id: runOf('a'), ...run } }),
    )[0]

  test('a running card shows its start, attempt and agent', () => {
    const reason = running({ attempt: 2, agent: 'coder', startedAt: NOON, maxRuntimeMs: HOUR })
    const run = { id: runOf('a'), attempt: 2, phase: 'work', kind: 'agent', by: 'coder', startedAt: NOON }
    expect(reason).toMatchObject({ gate: 'running', until: NOON + HOUR, params: { run, ending: null } })
    expect(operations(reason)).toEqual(['stop'])
  })

  test('a running card with a manual claim offers commands, and an ending run offers none', () => {
    expect(operations(running({ kind: 'manual', agent: null, claimedBy: 'ada' }))).toEqual(['complete', 'reclaim'])
    const intent = { verb: 'complete', by: 'ada' } as Run['intent']
    expect(running({ intent })).toMatchObject({ params: { ending: { verb: 'complete', by: 'ada' } }, remedies: [] })
  })
})

describe('a finished card', () => {
  test('a finished or deleted card gets only that reason', () => {
    expect(gates(situation({ status: 'done' }, { isDispatched: false }))).toEqual(['finished'])
    expect(gates(situation({ status: 'archived', held: true }))).toEqual(['finished'])
    expect(gates(situation({ deletedAt: NOON, held: true }, { isDispatched: false }))).toEqual(['deleted'])
  })
})

describe('a review', () => {
  test('the reasons of a review begin with its reviewer, then list the obstacles', () => {
    const reasons = whyNotRunning(situation({ status: 'review', reviewer: 'critic' }, { isDispatched: false }))
    expect(reasons).toMatchObject([
      { gate: 'reviewer', code: 'review_assigned', params: { reviewer: 'critic' } },
      { gate: 'dispatcher', code: 'no_dispatcher' },
    ])
    const cooling = { status: 'review', reviewer: 'critic', reviewFailures: 1, consecutiveFailures: 4 } as const
    const waits = { ...cooling, cooldownUntil: NOON + HOUR, cooldownReason: 'retry' } as const
    const [reviewer, cooldown] = whyNotRunning(situation(waits))
    expect(operations(reviewer)).toEqual(['approve', 'request-changes'])
    expect(cooldown).toMatchObject({ code: 'retry_wait', params: { failures: 1 }, until: NOON + HOUR, remedies: [] })
  })

  test("a review explains why the board's reviewer is excluded", () => {
    const own = { board: sampleBoard({ reviewer: 'coder' }) }
    const [reason] = whyNotRunning(situation({ status: 'review', reviewer: null }, own))
    expect(reason).toMatchObject({ code: 'review_by_person', params: { boardReviewer: 'coder' } })
    const [failed] = whyNotRunning(
      situation({ status: 'review', reviewer: 'critic', breakerOpen: true, reviewFailures: 2 }),
    )
    expect(failed).toMatchObject({ code: 'reviewer_failed', params: { reviewer: 'critic', failures: 2 } })
    expect(failed?.remedies.at(-1)).toMatchObject({ operation: 'edit', asks: ['reviewer'] })
  })

  test('a review without a reviewer waits only for a person', () => {
    expect(gates(situation({ status: 'review', reviewer: null }, { isDispatched: false }))).toEqual(['reviewer'])
  })

  test('a blocked review needs no assignee', () => {
    const blocked = { status: 'blocked', blockKind: 'review', blockReason: 'x', blockedBy: 'ada' } as const
    expect(gates(situation({ ...blocked, assignee: null, resumeStatus: 'review' }))).toEqual(['blocked'])
  })
})

describe('a card whose workspace could not be created', () => {
  test('a card without files can get another workspace', () => {
    const board = new TestBoard({ failureLimit: 2 })
    board.create('a', { workspace: { kind: 'worktree', repo: '/tmp' } })
    const failToStart = (): readonly Reason[] => {
      board.advance(HOUR)
      board.register('a', board.claim('a'))
      board.settle('a', { how: 'spawn_failed', exitCode: null, error: '/tmp is not a git repository' })
      return reasonsIn(board.store, board.task('a'), board.now)
    }
    const elsewhere = { operation: 'edit', input: { task: card('a') }, asks: ['workspace'] }
    const [waiting] = failToStart()
    expect(waiting).toMatchObject({ code: 'retry_wait', remedies: [{ operation: 'promote' }, elsewhere] })
    const [stopped] = failToStart()
    expect(stopped).toMatchObject({ code: 'breaker_open', remedies: [elsewhere, { operation: 'unblock' }] })
  })
})

describe('a card that the loop breaker moved to triage', () => {
  test('a card in a block loop names the loop and its last question', () => {
    const board = new TestBoard()
    board.create('a')
    for (let round = 1; round <= 4; round += 1) {
      const fence = board.claim('a')
      board.giveVerdict('a', fence, blocked({ reason: `Which port? (${round})` }))
      board.settle('a')
      if (round < 4) board.unblock('a')
    }
    expect(board.status('a')).toBe('triage')
    const [reason] = reasonsIn(board.store, board.task('a'), board.now)
    const params = { kind: 'needs_input', times: 4, question: 'Which port? (4)', by: 'agent:coder' }
    expect(reason).toMatchObject({ code: 'block_loop', params })
    expect(reason?.remedies).toEqual([{ operation: 'promote', input: { task: card('a') }, asks: ['reason'] }])
    expect(refusalsOf(board.store, board.task('a'), reason?.remedies ?? [])).toEqual([])
  })
})

/** Checks every card after every step of many random scripts. */
const everyCard = (
  look: (store: ModelStore, task: Task, reasons: readonly Reason[], machine: string | null) => readonly string[],
  lives: fc.Parameters<unknown> = {},
): Promise<void> =>
  fc.assert(
    fc.asyncProperty(scripts(), async (script) => {
      const clock = new FakeClock(NOON)
      const store = new ModelStore(clock.now)
      const faults: string[] = []
      const seen = new Map<string, Task>()
      let looks = 0
      const onStep = (): void => {
        for (const task of store.state().tasks) {
          if (seen.get(task.id) === task) continue
          seen.set(task.id, task)
          const machine = [null, ...MACHINES][(looks += 1) % 3] ?? null
          faults.push(...look(store, task, reasonsIn(store, task, clock.now(), machine), machine))
        }
      }
      await runScript(script, (command) => store.decide(command), clock, onStep)
      expect(faults).toEqual([])
    }),
    { numRuns: Number(process.env.MUSTER_LIVES ?? 30), ...lives },
  )

test('every card always has a stated reason, in the order of the gates', () =>
  everyCard((_, task, reasons) => {
    const order = reasons.map(({ gate }) => GATES.indexOf(gate))
    const isRunning = reasons[0]?.gate === 'running'
    return [
      ...(reasons.length === 0 ? [`${task.id} is ${task.status} for no reason`] : []),
      ...(order.some((place, at) => place < (order[at - 1] ?? -1)) ? [`${task.id}: ${order.join(' ')}`] : []),
      ...((task.status === 'running') === isRunning || task.deletedAt !== null ? [] : [`${task.id}: running?`]),
    ]
  }))

test('every remedy in a reason is accepted from a person', () =>
  everyCard((store, task, reasons, machine) =>
    reasons.flatMap(({ remedies }) => refusalsOf(store, task, remedies, machine)),
  ))

test('the random boards show every kind of remedy', async () => {
  const tried = new Set<string>()
  const look: Parameters<typeof everyCard>[0] = (_, __, reasons) => {
    for (const remedy of reasons.flatMap(({ remedies }) => remedies)) tried.add(kindOf(remedy))
    return []
  }
  // The seed is fixed, because a random seed could miss a rare kind of reason.
  await everyCard(look, { seed: 4, numRuns: 150 })
  expect([...tried].toSorted()).toEqual(REMEDY_KINDS.toSorted())
})

describe('problems of this machine', () => {
  const hung = obstacle('dispatcher_hung', { pid: 42, since: NOON, suspended: false })

  test('a hung dispatcher is reported instead of a missing one', () => {
    expect(whyNotRunning(situation({}, { isDispatched: false, localObstacles: [hung] }))).toMatchObject([
      { gate: 'dispatcher', code: 'dispatcher_hung', params: { pid: 42 }, remedies: [{ operation: 'up' }] },
    ])
  })

  test('a full disk is a reason why a card waits', () => {
    const full = obstacle('disk_full', { folder: '/home/ada/.muster' })
    expect(whyNotRunning(situation({}, { localObstacles: [full] }))).toMatchObject([
      { code: 'disk_full', remedies: [] },
    ])
  })

  test('a full disk is reported only for runs of this machine', () => {
    const full = obstacle('disk_full', { folder: '/home/ada/.muster' })
    const codes = (run: Partial<Run>) =>
      whyNotRunning(
        situation(
          { status: 'running' },
          { run: { ...sampleRun(), ...run }, machine: 'here', localObstacles: [full, noBody, hung] },
        ),
      ).map(({ code }) => code)
    expect(codes({ machine: 'here' })).toEqual(['running', 'disk_full'])
    expect(codes({ machine: 'there' })).toEqual(['running'])
    expect(codes({ kind: 'manual', machine: null, claimedBy: 'ada' })).toEqual(['running'])
  })

  test('a damaged store is a reason for every card that is not finished', () => {
    const damaged = obstacle('store_damaged', { path: '/data/muster.db', fault: 'page 7 is torn' })
    const codes = (task: Partial<Task>, rest: Partial<Situation> = {}) =>
      whyNotRunning(situation(task, { localObstacles: [damaged], isDispatched: false, ...rest })).map(
        ({ code }) => code,
      )
    expect(codes({})).toEqual(['store_damaged'])
    expect(codes({ status: 'running' }, { run: sampleRun() })).toEqual(['running', 'store_damaged'])
    expect(codes({ status: 'done' })).toEqual(['finished'])
  })

  test('a run without its supervisor needs a dispatcher', () => {
    const run = sampleRun()
    const lost = [obstacle('supervisor_lost', { run: run.id })]
    const codes = (isDispatched: boolean, more: readonly Obstacle[] = []) =>
      whyNotRunning(situation({ status: 'running' }, { run, isDispatched, localObstacles: [...lost, ...more] })).map(
        ({ code }) => code,
      )
    expect(codes(true)).toEqual(['supervisor_lost'])
    expect(codes(false)).toEqual(['supervisor_lost', 'no_dispatcher'])
    expect(codes(false, [hung])).toEqual(['supervisor_lost', 'dispatcher_hung'])
  })
})
