/** Tests properties of every history of a board. Each test is an invariant of the design. */
import { randomInt } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { possibleSelfReviewer, reasonsToWait, runnerOf } from '../../src/core/gates/admission.ts'
import type { Admission } from '../../src/core/gates/admission.ts'
import { isAgentName, opensGates } from '../../src/core/actor.ts'
import type { BoardEvent, EventData } from '../../src/core/event.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { isCounted } from '../../src/core/limits/retry.ts'
import type { Fence, Run } from '../../src/core/run.ts'
import type { Task } from '../../src/core/task.ts'
import { isTripped } from '../../src/core/moves.ts'
import { SWARM_NAME } from '../../src/core/swarm.ts'
import { VERBS } from '../../src/core/transitions/index.ts'
import type { VerbInput, VerbName } from '../../src/core/transitions/index.ts'
import { OUTCOMES } from '../../src/core/vocabulary.ts'
import { FakeClock, runScript, scripts } from '../helpers/commands.ts'
import type { Step, Trace } from '../helpers/commands.ts'
import { malformed, violations } from '../helpers/invariants.ts'
import { ModelStore } from '../helpers/model-store.ts'
import { isPaused } from '../../src/core/gates/admission.ts'
import type { ModelState } from '../helpers/model-store.ts'
import { DAY, NOON, clockwork, identity, runOf } from '../helpers/sample.ts'

/** The number of random scripts. `MUSTER_LIVES=2000` searches longer. */
const RUNS = Number(process.env.MUSTER_LIVES ?? 60)
const SEED = randomInt(0x7fff_ffff)

interface StepResult extends Trace {
  readonly now: number
  readonly before: ModelState
  readonly after: ModelState
  /** The events of this step. */
  readonly events: readonly BoardEvent[]
}

/** Yields a message for each rule that a step breaks. */
type StepCheck = (step: StepResult) => Iterable<string>

/** Like `StepCheck`, with the store as it is right after the step. */
type LiveCheck = (step: StepResult & { readonly store: ModelStore }) => Iterable<string>

/** Runs a script on a new board and checks every step with the rows before and after it. */
async function runChecked(
  script: readonly Step[],
  check: LiveCheck = () => [],
): Promise<{ store: ModelStore; now: number }> {
  const clock = new FakeClock(NOON)
  const store = new ModelStore(clock.now)
  let before = store.state()
  await runScript(
    script,
    (command) => store.decide(command),
    clock,
    (trace) => {
      const after = store.state()
      const events = after.events.slice(before.events.length)
      expect([...check({ ...trace, store, now: clock.now(), before, after, events })]).toEqual([])
      before = after
    },
  )
  return { store, now: clock.now() }
}

const whileRunning = (check: LiveCheck): Promise<void> =>
  fc.assert(
    fc.asyncProperty(scripts(), async (script) => {
      await runChecked(script, check)
    }),
    { numRuns: RUNS, seed: SEED },
  )

let recorded: Promise<readonly StepResult[]> | null = null

async function recordSteps(): Promise<readonly StepResult[]> {
  const steps: StepResult[] = []
  for (const script of fc.sample(scripts(), { numRuns: RUNS, seed: SEED }))
    await runChecked(script, (step) => {
      steps.push(step)
      return []
    })
  return steps
}

/**
 * Checks every step of the random scripts, which run once for all checks. If a check fails, the scripts run again, so
 * that the error shows a small script that fails.
 */
async function atEveryStep(check: StepCheck): Promise<void> {
  recorded ??= recordSteps()
  const faults = (await recorded).flatMap((step) => [...check(step)])
  if (faults.length > 0) await whileRunning(check)
  expect(faults).toEqual([])
}

const same = (one: unknown, other: unknown): boolean => one === other || isDeepStrictEqual(one, other)
const byTask = (rows: readonly Task[]): ReadonlyMap<TaskId, Task> => new Map(rows.map((row) => [row.id, row]))
const openRunOf = (state: ModelState, id: TaskId): Run | undefined =>
  state.runs.find((run) => run.taskId === id && run.endedAt === null)

/** Returns each card that a step changed, before and after the step. */
function changed({ before, after }: StepResult): { was: Task; is: Task }[] {
  const old = byTask(before.tasks)
  return after.tasks.flatMap((is) => {
    const was = old.get(is.id)
    return was === undefined || was === is ? [] : [{ was, is }]
  })
}

/** Whether nothing changed except events and new slot rows, which a refusal may write. */
const unchanged = ({ before, after }: StepResult): boolean =>
  same({ ...before, events: 0, slots: 0 }, { ...after, events: 0, slots: 0 })

describe('every history of a board', () => {
  test('a synthesizer starts only after its verifier approved the work', async () => {
    await atEveryStep(function* ({ before, events }) {
      for (const { kind, taskId, data } of events) {
        const card = before.tasks.find(({ id }) => id === taskId)
        if (kind !== 'claimed' || data['phase'] !== 'work' || card?.swarmRole !== 'synthesizer') continue
        const verifier = before.tasks.find(({ swarm, swarmRole }) => swarm === card.swarm && swarmRole === 'verifier')
        const link = before.links.find(({ parentId, childId }) => parentId === verifier?.id && childId === card.id)
        const isApproved = verifier?.status === 'done' && verifier.deletedAt === null
        if (!isApproved && link?.waivedBy == null) yield `${taskId} started, but its verifier is ${verifier?.status}`
      }
    })
  })

  test('a verifier sends its workers back as often as the limit allows', async () => {
    await atEveryStep(function* ({ events, after }) {
      for (const event of events) {
        if (event.kind !== 'swarm_rejected') continue
        const data = event.data as unknown as EventData['swarm_rejected']
        const verifier = byTask(after.tasks).get(event.taskId as TaskId)
        if (data.times > data.limit) yield `${event.taskId} requested changes ${data.times} times`
        if (data.workers.length === 0 && verifier?.blockedBy !== SWARM_NAME && verifier?.blockKind !== 'attempts')
          yield `${event.taskId} asked no worker and is ${verifier?.status}`
        for (const id of data.workers)
          if (byTask(after.tasks).get(id)?.swarm !== data.root) yield `${id} belongs to another swarm`
        if (verifier?.status === 'running') yield `${event.taskId} still runs`
      }
    })
  })

  test('all data invariants hold after every step', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(), async (script) => {
        const { store, now } = await runChecked(script, ({ after, now: at }) => violations({ ...after, now: at }))
        expect(malformed({ ...store.state(), now })).toEqual([])
      }),
      { numRuns: 2 * RUNS },
    )
  })

  test('the random scripts use every verb and reach every outcome', async () => {
    const all = Object.keys(VERBS) as VerbName[]
    // Commands that these scripts never see refused. Creating an existing board is accepted, and so is giving up a
    // lease that another dispatcher holds. A late write is refused only for an open run (reject-late-writes.test.ts).
    const neverRefused: VerbName[] = ['create_board', 'leave_dispatch', 'record_late_write']
    // A random script rarely finishes a tournament. The histories in tournament.test.ts do.
    const rarelyAccepted: VerbName[] = ['begin_pick', 'fail_pick', 'renew_pick', 'follow_tournament', 'pick']
    const toAccept = new Set(all.filter((verb) => !rarelyAccepted.includes(verb)))
    const toRefuse = new Set(all.filter((verb) => !neverRefused.includes(verb)))
    const toReach = new Set<string>(OUTCOMES.filter((outcome) => outcome !== 'gave_up'))
    for (const script of fc.sample(scripts(), { numRuns: 1_000, seed: 9 })) {
      await runChecked(script, ({ step, outcome, after }) => {
        if (outcome.ok) toAccept.delete(step.verb)
        else toRefuse.delete(step.verb)
        for (const run of after.runs) if (run.outcome !== null) toReach.delete(run.outcome)
        return []
      })
      if (toAccept.size + toRefuse.size + toReach.size === 0) break
    }
    expect({ toAccept, toRefuse, toReach }).toEqual({ toAccept: new Set(), toRefuse: new Set(), toReach: new Set() })
  })

  test('a worker finishes a card with a goal only if its judge accepted the work', async () => {
    await atEveryStep(function* ({ command, before, after, ...rest }) {
      if (command.verb !== 'settle') return
      for (const { was, is } of changed({ command, before, after, ...rest })) {
        const run = openRunOf(before, is.id)
        if (is.goal === null || run === undefined || run.phase !== 'work' || run.intent !== null) continue
        const isFinished = is.status === 'done' || is.status === 'review'
        if (isFinished && was.status === 'running' && run.goal?.passedAt == null)
          yield `${is.id} is ${is.status} without a judgement`
      }
    })
  })

  test('a replayed script produces the same state', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(12), async (script) => {
        expect((await runChecked(script)).store.state()).toEqual((await runChecked(script)).store.state())
      }),
      { numRuns: RUNS },
    )
  })
})

describe('runs', () => {
  test('a closed run never changes', () =>
    atEveryStep(function* ({ before, after }) {
      const now = new Map(after.runs.map((run) => [run.id, run]))
      for (const run of before.runs)
        if (run.endedAt !== null && now.has(run.id) && !same(now.get(run.id), run)) yield `${run.id} changed`
    }))

  test('a run starts only if no unwaived parent gates the card', () =>
    atEveryStep(function* (life) {
      for (const { was, is } of changed(life))
        if (is.status === 'running' && was.status !== 'running' && was.openParents > 0) yield `${is.id} started`
    }))

  test('open runs never exceed their caps', () =>
    atEveryStep(function* ({ after }) {
      const open = after.runs.filter((run) => run.endedAt === null && run.kind === 'agent' && run.phase !== 'check')
      for (const cap of ['machine', 'account'] as const)
        for (const run of open)
          if (run[cap] !== null && open.filter((other) => other[cap] === run[cap]).length > 2)
            yield `too many on ${run[cap]}`
    }))
})

describe('a fence', () => {
  const FENCED: readonly VerbName[] = ['register', 'heartbeat', 'verdict', 'checks', 'terminating', 'settle']
  /** The verbs whose content is recorded if it is late. */
  const RECORDED: readonly VerbName[] = ['heartbeat', 'verdict', 'checks', 'settle']

  interface Fenced {
    readonly task: TaskId
    readonly fence?: Fence | null
    readonly by?: { readonly fence?: Fence; readonly dispatcherTokenHash?: string }
  }

  test('a write with a stale fence is refused and recorded', () =>
    atEveryStep(function* (life) {
      const { step, command, outcome, before, events } = life
      if (!FENCED.includes(step.verb)) return
      const input = command.input as Fenced
      const fence = input.by?.fence ?? input.fence
      const task = byTask(before.tasks).get(input.task)
      if (!fence || task === undefined || task.board !== command.board || task.deletedAt !== null) return
      const open = openRunOf(before, task.id)
      if (open?.id === fence.runId && open.tokenHash === fence.tokenHash) return
      if (outcome.ok || outcome.error.code !== 'run_superseded') yield 'a stale fence was not refused as such'
      if (!unchanged(life)) yield 'a stale fence changed something'
      const kept = events.map((event) => event.kind).join()
      // Every late write of a worker is recorded. A late write of the board is recorded only if it has content.
      const allowed = RECORDED.includes(step.verb) ? ['late_result'] : ['', 'late_result']
      if (!allowed.includes(kept)) yield `a stale fence left ${kept}`
    }))

  test('a live run changes only with its fence', () =>
    atEveryStep(function* ({ step, command, before, after }) {
      if (!FENCED.includes(step.verb)) return
      const input = command.input as Fenced
      const open = openRunOf(before, input.task)
      const now = after.runs.find((run) => run.id === open?.id)
      if (open === undefined || now === undefined || now === open) return
      const fence = input.by?.fence ?? input.fence
      const byDispatcher = input.by?.dispatcherTokenHash?.startsWith('dispatch-') && open.kind === 'agent'
      const byFence = fence?.runId === open.id && fence.tokenHash === open.tokenHash
      const byPerson = !fence && open.kind === 'manual'
      if (!byDispatcher && !byFence && !byPerson) yield `${open.id} changed without a fence`
    }))

  test('a replaced worker cannot change its card', () =>
    atEveryStep(function* ({ command, before, after }) {
      const { actor, verb } = command
      if (actor.kind !== 'worker' || FENCED.includes(verb)) return
      const own = byTask(before.tasks).get(actor.taskId)
      if (own === undefined || own.currentRunId === actor.runId || own.createdByRun === actor.runId) return
      // Any worker may use these verbs; they change a card only by comments, time or links.
      if (['comment', 'wake', 'purge', 'link', 'create'].includes(verb)) return
      const now = byTask(after.tasks).get(own.id)
      if (now !== own) yield `${own.id} was changed by ${verb}`
    }))
})

describe('a refusal', () => {
  test('a refusal writes only events, except for rejected claims', () =>
    atEveryStep(function* (life) {
      if (life.outcome.ok) return
      const kinds = life.events.map((event) => event.kind)
      if (kinds.includes('claim_rejected')) return
      if (!unchanged(life)) yield `${life.outcome.error.code} changed something`
      for (const kind of kinds) if (kind !== 'late_result' && kind !== 'completion_refused') yield `it left ${kind}`
    }))

  test('a refusal has a readable message', () =>
    atEveryStep(function* ({ outcome }) {
      if (!outcome.ok && !/^(?!.*(?:undefined|null|object)).*\w.* /.test(outcome.error.message))
        yield outcome.error.message
    }))
})

describe('a repeated command', () => {
  const REPEATABLE: readonly VerbName[] = [
    'create',
    'create_board',
    'comment',
    'attach',
    'claim',
    'claim_manual',
    'link',
    'register',
    'assign',
    'pause_burst',
    'hold',
  ]
  /** The verbs that may create a run with the id in their input. */
  const WITH_RUN: readonly VerbName[] = ['complete', 'approve', 'block', 'request_review', 'request_changes']

  const isRepeatable = ({ step, command, outcome }: StepResult): boolean => {
    if (!outcome.ok) return false
    const minted = (command.input as { runId?: string }).runId
    const leftRun = (outcome.result as { runId?: string }).runId === minted
    return REPEATABLE.includes(step.verb) || (WITH_RUN.includes(step.verb) && leftRun)
  }

  test('a repeated command with the same ids changes nothing', () =>
    whileRunning(function* (life) {
      if (!isRepeatable(life)) return
      const { step, command, store, after } = life
      if (!store.decide(command).ok) yield `${step.verb} was refused the second time`
      if (!same(store.state(), after)) yield `${step.verb} changed something the second time`
    }))
})

describe('an update', () => {
  type Input = VerbInput<'update'>

  /**
   * Splits the changes of an update into several updates with one change each, in the order in which one update makes
   * the changes.
   */
  const parts = ({ task, set, clearClaim, assignee, handOff, to }: Input): Input[] => {
    const hasEdit = Object.keys(set ?? {}).length > 0 || clearClaim === true
    const isHandOff = to?.status === 'done' || to?.status === 'review'
    return [
      ...(handOff && !isHandOff ? [{ task, handOff }] : []),
      ...(hasEdit ? [{ task, set, clearClaim }] : []),
      ...(assignee === undefined ? [] : [{ task, assignee }]),
      ...(to ? [{ task, to, handOff: isHandOff ? handOff : null }] : []),
    ]
  }

  /**
   * Returns the rows without the time of their last change, because several commands write a row more often than one
   * command.
   */
  const rowsOf = (store: ModelStore) => ({
    ...store.state(),
    events: store.events().map(({ kind, data }) => [kind, data]),
  })

  test('an update has the same effect as its parts one after another', async () => {
    let composed = 0
    let before: ModelStore | null = null
    await fc.assert(
      fc.asyncProperty(scripts(), async (script) => {
        await runChecked(script, ({ step, command, outcome, store }) => {
          const [earlier] = [before]
          before = store.fork()
          if (step.verb !== 'update' || earlier === null || !outcome.ok) return []
          const inputs = parts(command.input as Input)
          if (inputs.length < 2) return []
          composed += 1
          const refusals = inputs
            .map((input) => earlier.decide({ ...command, verb: 'update', input }))
            .flatMap((each) => (each.ok ? [] : [each.error.message]))
          expect(rowsOf(earlier)).toEqual(rowsOf(store))
          return refusals
        })
      }),
      { numRuns: 2 * RUNS },
    )
    expect(composed).toBeGreaterThan(0)
  })

  test('an accepted update leaves the card in the wanted status, or waits for its run', () =>
    atEveryStep(function* ({ step, outcome, after, command }) {
      if (step.verb !== 'update' || step.status === undefined || !outcome.ok) return
      const { task } = command.input as Input
      const { pending } = outcome.result as { pending: boolean }
      const is = byTask(after.tasks).get(task)?.status
      if (!pending && is !== step.status) yield `${task} is ${is}, not ${step.status}`
    }))
})

describe('counters', () => {
  /**
   * The verbs that may clear failures: by success, by a command of a person, or because a burst was the agent's fault.
   */
  const RESETS: readonly VerbName[] = [
    'settle',
    'complete',
    'approve',
    'unblock',
    'reopen',
    'reclaim',
    'edit',
    'update',
    'assign',
    'pause_burst',
  ]

  /** Returns the run of this card that the step settled. Null means that the step settled no run of this card. */
  const settled = ({ step, before, after }: StepResult, id: TaskId): Run | undefined => {
    const open = openRunOf(before, id)
    return step.verb === 'settle' ? after.runs.find((run) => run.id === open?.id && run.endedAt !== null) : undefined
  }

  test("only the agent's own failures are counted", () =>
    atEveryStep(function* (life) {
      for (const { was, is } of changed(life)) {
        const run = settled(life, is.id)
        const outcome = run?.phase === 'work' && run.intent === null ? run.outcome : null
        const failed = outcome !== null && isCounted(outcome)
        const silent = outcome === 'protocol_violation'
        const allowed = (before: number, isCountedNow: boolean): number[] => (isCountedNow ? [before + 1] : [before, 0])
        if (!allowed(was.consecutiveFailures, failed).includes(is.consecutiveFailures))
          yield `${was.consecutiveFailures} failures became ${is.consecutiveFailures} by ${run?.outcome}`
        if (!allowed(was.protocolViolations, silent).includes(is.protocolViolations))
          yield `${was.protocolViolations} violations became ${is.protocolViolations} by ${run?.outcome}`
      }
    }))

  test('failures are cleared only by success or a resetting command', () =>
    atEveryStep(function* (life) {
      for (const { was, is } of changed(life))
        if (
          is.consecutiveFailures < was.consecutiveFailures &&
          !RESETS.includes(life.step.verb) &&
          !(isTripped(was) && !isTripped(is))
        )
          yield `${life.step.verb} cleared the failures of ${is.id}`
    }))

  test('only counted failures, the attempts limit and a verifier at its limit open a breaker', () =>
    atEveryStep(function* (life) {
      for (const { was, is } of changed(life)) {
        if (was.breakerOpen || !is.breakerOpen || life.step.verb !== 'settle') continue
        const run = settled(life, is.id)
        const byBound = is.blockKind === 'attempts' && !['rate_limited', 'stopped'].includes(run?.outcome ?? '')
        const byLimit = run?.outcome != null && (isCounted(run.outcome) || run.outcome === 'protocol_violation')
        const byRequests = run?.outcome === 'changes_requested' && is.blockedBy === SWARM_NAME && is.rejections > 0
        if (!byBound && !byLimit && !byRequests) yield `${run?.outcome} opened the breaker of ${is.id}`
        const stopped = is.blockKind === null ? ['review'] : ['blocked', 'triage']
        if (!stopped.includes(is.status)) yield `${is.id} is ${is.status}`
      }
    }))

  /** Whether a person caused the change: by this command, or by an earlier command that applies when the run ends. */
  const isByPerson = ({ command, step, before }: StepResult, id: TaskId): boolean => {
    const run = step.verb === 'settle' ? openRunOf(before, id) : undefined
    const by = run?.intent?.by ?? (run?.phase === 'check' ? run.claimedBy : null)
    return command.actor.kind === 'person' || (by !== null && !isAgentName(by))
  }

  test('only a person closes a breaker', () =>
    atEveryStep(function* (life) {
      for (const { was, is } of changed(life))
        if (isTripped(was) && !isTripped(is) && !isByPerson(life, is.id)) yield `${life.step.verb} closed ${is.id}`
    }))

  test('closing the breaker of a stopped card clears its failures', () =>
    atEveryStep(function* (life) {
      for (const { was, is } of changed(life)) {
        if (!['blocked', 'triage'].includes(was.status) || !isTripped(was) || isTripped(is)) continue
        if (is.consecutiveFailures + is.protocolViolations > 0) yield `${life.step.verb} kept the failures of ${is.id}`
      }
    }))

  test("only success or a person's reset restarts the count of attempts", () =>
    atEveryStep(function* (life) {
      for (const { was, is } of changed(life)) {
        if (is.attemptsSince === was.attemptsSince) continue
        const succeeded = settled(life, is.id)?.outcome === 'completed' || is.status === 'done'
        const isReset = life.step.verb === 'unblock' && life.events.some(({ data }) => data['reset'] === true)
        const byAgent = life.command.actor.kind === 'orchestrator' || life.command.actor.kind === 'worker'
        if ((!succeeded && !isReset) || byAgent) yield `${life.step.verb} forgot the attempts of ${is.id}`
      }
    }))

  test('a rate-limited card waits and is never blocked', () =>
    atEveryStep(function* (life) {
      for (const { is } of changed(life)) {
        const run = settled(life, is.id)
        if (run?.outcome !== 'rate_limited' || run.phase === 'check') continue
        if (!['ready', 'todo', 'review'].includes(is.status)) yield `${is.id} is ${is.status}`
        const account = life.after.accounts.find(({ name }) => name === run.account)
        const isHeld = account !== undefined && isPaused(account, life.now)
        if (!isHeld && (is.cooldownUntil ?? 0) <= life.now) yield `${is.id} does not wait`
      }
    }))
})

describe('a human gate', () => {
  /** The status of a card. For a running card, its status before the open run. */
  const statusBeforeRun = (state: ModelState, task: Task): Task['status'] =>
    openRunOf(state, task.id)?.fromStatus ?? task.status
  const isAway = (task: Task): boolean => task.status === 'archived' || task.deletedAt !== null

  /** Whether a person or an orchestrator caused the change, by this command or by a command that waited for the run. */
  function isPermitted({ command, step, before }: StepResult, id: TaskId): boolean {
    const run = openRunOf(before, id)
    const waited = step.verb === 'settle' && run !== undefined && (run.phase === 'check' || run.intent !== null)
    return opensGates(command.actor) || waited
  }

  test('only people and orchestrators end a block or triage', () =>
    atEveryStep(function* (life) {
      const isShut = (status: Task['status']): boolean => status === 'blocked' || status === 'triage'
      for (const { was, is } of changed(life)) {
        if (isAway(was) || isAway(is) || !isShut(statusBeforeRun(life.before, was))) continue
        if (!isShut(statusBeforeRun(life.after, is)) && !isPermitted(life, is.id)) yield `${is.id} got through`
      }
    }))

  test('only people, orchestrators and the reviewer end a review', () =>
    atEveryStep(function* (life) {
      for (const { was, is } of changed(life)) {
        if (isAway(was) || isAway(is) || statusBeforeRun(life.before, was) !== 'review') continue
        if (!['done', 'ready', 'todo'].includes(statusBeforeRun(life.after, is))) continue
        const reviewed = life.step.verb === 'settle' && openRunOf(life.before, is.id)?.phase === 'review'
        // A dependency block makes the card wait for its parents, which opens no gate.
        if (!reviewed && !isPermitted(life, is.id) && is.blockKind !== 'dependency') yield `${is.id} got through`
      }
    }))

  test('only permitted actors release holds or approve commands', () =>
    atEveryStep(function* (life) {
      const { actor } = life.command
      for (const { was, is } of changed(life)) {
        if (was.held && !is.held && !opensGates(actor)) yield `${is.id} was released`
        if (!was.commandsApproved && is.commandsApproved && actor.kind !== 'person') yield `${is.id} was approved`
      }
    }))

  test('a worker cannot restore an archived or deleted card', () =>
    atEveryStep(function* (life) {
      for (const { was, is } of changed(life))
        if (isAway(was) && !isAway(is) && life.command.actor.kind === 'worker') yield `${is.id} came back`
    }))
})

describe('the event log', () => {
  test('every change of status, hold or visibility has an event', () =>
    atEveryStep(function* (life) {
      const recorded = new Set(life.events.map((event) => event.taskId))
      for (const { was, is } of changed(life)) {
        const moved = was.status !== is.status || was.held !== is.held || was.deletedAt !== is.deletedAt
        if (moved && !recorded.has(is.id)) yield `${is.id} went from ${was.status} to ${is.status} without an event`
      }
      const known = byTask(life.before.tasks)
      for (const { id } of life.after.tasks)
        if (!known.has(id) && !recorded.has(id)) yield `${id} was created without an event`
    }))

  test('the event log only grows', () =>
    atEveryStep(function* ({ before, after }) {
      if (!before.events.every((event, at) => event === after.events[at])) yield 'the past changed'
    }))
})

describe('a card that is not running', () => {
  const MACHINE = 'tablet'
  const CAPS = { machine: 4, agent: null, account: null }

  function admissionOf(store: ModelStore, task: Task, now: number): Admission | null {
    const board = store.board(task.board)
    if (board === null) return null
    const reviewerIsAuthor = store.workedOn(possibleSelfReviewer(task, board), task.id)
    const agent = runnerOf(task, board, reviewerIsAuthor)
    const places = [
      { kind: 'machine' as const, name: MACHINE },
      { kind: 'board' as const, name: board.slug },
      ...(agent === null ? [] : [{ kind: 'agent' as const, name: agent }]),
    ]
    const sharing = store
      .state()
      .tasks.find(
        ({ id, status, workspace }) =>
          id !== task.id && status === 'running' && workspace.kind === 'dir' && workspace.path === task.workspace.path,
      )
    return {
      task,
      board,
      now,
      openParents: store.openParents(task.id),
      slots: places.flatMap((place) => store.slot(place) ?? []),
      account: null,
      openRuns: store.openRuns({ machine: MACHINE, agent, account: null }, board.slug),
      caps: CAPS,
      directoryUser: task.workspace.kind === 'dir' ? (sharing?.id ?? null) : null,
      verification: store.verification(task.id),
      branchHolders: store.branchHolders(task),
      machine: MACHINE,
      reviewerIsAuthor,
    }
  }

  /** Yields a message if a claim of the card contradicts its reasons. */
  function* claimFaults(store: ModelStore, id: TaskId, now: number): Generator<string> {
    const task = store.task(id)
    const admission = task && admissionOf(store, task, now)
    if (!admission || admission.task.status === 'running') return
    const reasons = reasonsToWait(admission)
    const claimed = store.decide({
      verb: 'claim',
      board: admission.board.slug,
      actor: clockwork,
      input: {
        task: id,
        runId: runOf(`x${id.slice(4)}`),
        tokenHash: 'last',
        agent: runnerOf(admission.task, admission.board, admission.reviewerIsAuthor) ?? 'nobody',
        machine: MACHINE,
        dispatcher: identity(9, MACHINE),
        dispatcherTokenHash: 'dispatch-tablet',
        caps: CAPS,
        pinned: true,
      },
    })
    if (claimed.ok !== (reasons.length === 0)) yield `${id}: ${claimed.ok ? 'started' : claimed.error.message}`
  }

  test('an idle card has a reason to wait or can be claimed', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(), async (script) => {
        const { store, now } = await runChecked(script)
        const lead = { machine: MACHINE, tokenHash: 'dispatch-tablet', identity: identity(9, MACHINE), leaseMs: DAY }
        // A dispatcher is active on a machine, so any board can be used.
        const [board] = store.state().boards
        if (board === undefined) return
        store.decide({ verb: 'lead_dispatch', board: board.slug, actor: clockwork, input: lead })
        expect(store.state().tasks.flatMap(({ id }) => [...claimFaults(store, id, now)])).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })
})
