/** What holds for every life of a board, however odd. Each sentence is an invariant of the design. */
import fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { doubtedReviewer, reasonsToWait, runnerOf } from '../../src/core/gates/admission.ts'
import type { Admission } from '../../src/core/gates/admission.ts'
import { isAgentName, opensGates } from '../../src/core/actor.ts'
import type { BoardEvent } from '../../src/core/event.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { isCounted } from '../../src/core/limits/retry.ts'
import type { Fence, Run } from '../../src/core/run.ts'
import type { Task } from '../../src/core/task.ts'
import { isTripped } from '../../src/core/moves.ts'
import { VERBS } from '../../src/core/transitions/index.ts'
import type { VerbName } from '../../src/core/transitions/index.ts'
import { OUTCOMES } from '../../src/core/vocabulary.ts'
import { FakeClock, runScript, scripts } from '../helpers/commands.ts'
import type { Step, Trace } from '../helpers/commands.ts'
import { malformed, violations } from '../helpers/invariants.ts'
import { ModelStore } from '../helpers/model-store.ts'
import { isPaused } from '../../src/core/gates/admission.ts'
import type { ModelState } from '../helpers/model-store.ts'
import { DAY, NOON, clockwork, identity, runOf } from '../helpers/sample.ts'

/** Lives per property. Every run of the suite draws new ones; `MUSTER_LIVES=2000` goes hunting. */
const RUNS = Number(process.env.MUSTER_LIVES ?? 30)

interface Life extends Trace {
  readonly store: ModelStore
  readonly now: number
  readonly before: ModelState
  readonly after: ModelState
  /** The events of this step. */
  readonly events: readonly BoardEvent[]
}

/** Says what is wrong with a step; nothing when all is well. */
type Look = (life: Life) => Iterable<string>

/** Lives a script on a fresh board, looking at every step with the rows before and after it. */
async function live(script: readonly Step[], look: Look = () => []): Promise<{ store: ModelStore; now: number }> {
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
      expect([...look({ ...trace, store, now: clock.now(), before, after, events })]).toEqual([])
      before = after
    },
  )
  return { store, now: clock.now() }
}

const always = (look: Look): Promise<void> =>
  fc.assert(
    fc.asyncProperty(scripts(), async (script) => {
      await live(script, look)
    }),
    { numRuns: RUNS },
  )

const same = (one: unknown, other: unknown): boolean => one === other || isDeepStrictEqual(one, other)
const byTask = (rows: readonly Task[]): ReadonlyMap<TaskId, Task> => new Map(rows.map((row) => [row.id, row]))
const openRunOf = (state: ModelState, id: TaskId): Run | undefined =>
  state.runs.find((run) => run.taskId === id && run.endedAt === null)

/** Each card that a step changed, as it was and as it is. */
function changed({ before, after }: Life): { was: Task; is: Task }[] {
  const old = byTask(before.tasks)
  return after.tasks.flatMap((is) => {
    const was = old.get(is.id)
    return was === undefined || was === is ? [] : [{ was, is }]
  })
}

/** Whether only what a refusal may leave behind differs: its record, and places that now have a row. */
const unchanged = ({ before, after }: Life): boolean =>
  same({ ...before, events: 0, slots: 0 }, { ...after, events: 0, slots: 0 })

describe('every life of a board', () => {
  test('keeps all data invariants after every step', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(), async (script) => {
        const { store, now } = await live(script, ({ after, now: at }) => violations({ ...after, now: at }))
        expect(malformed({ ...store.state(), now })).toEqual([])
      }),
      { numRuns: 4 * RUNS },
    )
  })

  test('reaches every verb, accepted and refused, and every outcome', async () => {
    const accepted = new Set<VerbName>()
    const refused = new Set<VerbName>()
    const outcomes = new Set<string>()
    for (const script of fc.sample(scripts(), { numRuns: 200, seed: 7 }))
      await live(script, ({ step, outcome, after }) => {
        if (outcome.ok) accepted.add(step.verb)
        else refused.add(step.verb)
        for (const run of after.runs) if (run.outcome !== null) outcomes.add(run.outcome)
        return []
      })
    const all = Object.keys(VERBS) as VerbName[]
    expect(all.filter((verb) => !accepted.has(verb))).toEqual([])
    // Making a board that is there, and leaving what one does not lead, are never refused. A late word is refused only
    // for a run that is open (reject-late-writes.test.ts).
    const mild: VerbName[] = ['create_board', 'leave_dispatch', 'record_late_write']
    expect(all.filter((verb) => !refused.has(verb) && !mild.includes(verb))).toEqual([])
    expect(OUTCOMES.filter((outcome) => !outcomes.has(outcome))).toEqual(['gave_up'])
  })

  test('is the same when it is replayed', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(12), async (script) => {
        expect((await live(script)).store.state()).toEqual((await live(script)).store.state())
      }),
      { numRuns: RUNS },
    )
  })
})

describe('runs', () => {
  test('never change once they are closed', () =>
    always(function* ({ before, after }) {
      const now = new Map(after.runs.map((run) => [run.id, run]))
      for (const run of before.runs)
        if (run.endedAt !== null && now.has(run.id) && !same(now.get(run.id), run)) yield `${run.id} changed`
    }))

  test('start only when no unwaived parent gates the card', () =>
    always(function* (life) {
      for (const { was, is } of changed(life))
        if (is.status === 'running' && was.status !== 'running' && was.openParents > 0) yield `${is.id} started`
    }))

  test('never exceed the caps they were claimed under', () =>
    always(function* ({ after }) {
      const open = after.runs.filter((run) => run.endedAt === null && run.kind === 'agent' && run.phase !== 'check')
      for (const of of ['machine', 'account'] as const)
        for (const run of open)
          if (run[of] !== null && open.filter((other) => other[of] === run[of]).length > 2)
            yield `too many on ${run[of]}`
    }))
})

describe('a fence', () => {
  const FENCED: readonly VerbName[] = ['register', 'heartbeat', 'verdict', 'checks', 'terminating', 'settle']
  /** Verbs that bring something worth keeping. */
  const HEARD: readonly VerbName[] = ['heartbeat', 'verdict', 'checks', 'settle']

  interface Fenced {
    readonly task: TaskId
    readonly fence?: Fence | null
    readonly by?: { readonly fence?: Fence; readonly dispatcherTokenHash?: string }
  }

  test('that is stale changes nothing, is refused, and is recorded as a late result', () =>
    always(function* (life) {
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
      // What a worker sends is kept whatever it is; what the board sends only where it says something.
      const allowed = HEARD.includes(step.verb) ? ['late_result'] : ['', 'late_result']
      if (!allowed.includes(kept)) yield `a stale fence left ${kept}`
    }))

  test('that holds is what every change of a live run by its worker shows', () =>
    always(function* ({ step, command, before, after }) {
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

  test('that was replaced gives its worker no way to change the card', () =>
    always(function* ({ command, before, after }) {
      const { actor, verb } = command
      if (actor.kind !== 'worker' || FENCED.includes(verb)) return
      const own = byTask(before.tasks).get(actor.taskId)
      if (own === undefined || own.currentRunId === actor.runId || own.createdByRun === actor.runId) return
      // Anyone may talk, and what the clock or the graph does to the card is nobody's doing.
      if (['comment', 'wake', 'purge', 'link', 'create'].includes(verb)) return
      const now = byTask(after.tasks).get(own.id)
      if (now !== own) yield `${own.id} was changed by ${verb}`
    }))
})

describe('a refusal', () => {
  test('changes nothing but events, except a claim of a card with open parents', () =>
    always(function* (life) {
      if (life.outcome.ok) return
      const kinds = life.events.map((event) => event.kind)
      if (kinds.includes('claim_rejected')) return
      if (!unchanged(life)) yield `${life.outcome.error.code} changed something`
      for (const kind of kinds) if (kind !== 'late_result' && kind !== 'completion_refused') yield `it left ${kind}`
    }))

  test('has a message that names the fault', () =>
    always(function* ({ outcome }) {
      if (!outcome.ok && !/^(?!.*(?:undefined|null|object)).*\w.* /.test(outcome.error.message))
        yield outcome.error.message
    }))
})

describe('a command that is sent again', () => {
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
  /** Verbs whose first answer leaves a run of the id that they brought. */
  const WITH_RUN: readonly VerbName[] = ['complete', 'approve', 'block', 'request_review', 'request_changes']

  const isRepeatable = ({ step, command, outcome }: Life): boolean => {
    if (!outcome.ok) return false
    const minted = (command.input as { runId?: string }).runId
    const leftRun = (outcome.result as { runId?: string }).runId === minted
    return REPEATABLE.includes(step.verb) || (WITH_RUN.includes(step.verb) && leftRun)
  }

  test('changes nothing when the ids it brought are already there', () =>
    always(function* (life) {
      if (!isRepeatable(life)) return
      const { step, command, store, after } = life
      if (!store.decide(command).ok) yield `${step.verb} was refused the second time`
      if (!same(store.state(), after)) yield `${step.verb} changed something the second time`
    }))
})

describe('counters', () => {
  /** Verbs that give a clean slate: success, a person's word, or a burst, whose failures are the agent's and no card's. */
  const RESETS: readonly VerbName[] = [
    'settle',
    'complete',
    'approve',
    'unblock',
    'reopen',
    'reclaim',
    'edit',
    'assign',
    'pause_burst',
  ]

  /** The run that this step settled, if it settled one of this card. */
  const settled = ({ step, before, after }: Life, id: TaskId): Run | undefined => {
    const open = openRunOf(before, id)
    return step.verb === 'settle' ? after.runs.find((run) => run.id === open?.id && run.endedAt !== null) : undefined
  }

  test("count only the agent's own failures", () =>
    always(function* (life) {
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

  test('fall only by success, by a closing breaker, or by a command that may reset them', () =>
    always(function* (life) {
      for (const { was, is } of changed(life))
        if (
          is.consecutiveFailures < was.consecutiveFailures &&
          !RESETS.includes(life.step.verb) &&
          !(isTripped(was) && !isTripped(is))
        )
          yield `${life.step.verb} cleared the failures of ${is.id}`
    }))

  test('open the breaker at the limit, and never because of a rate limit, a stop, or a lost machine', () =>
    always(function* (life) {
      for (const { was, is } of changed(life)) {
        if (was.breakerOpen || !is.breakerOpen || life.step.verb !== 'settle') continue
        const run = settled(life, is.id)
        const byBound = is.blockKind === 'attempts' && !['rate_limited', 'stopped'].includes(run?.outcome ?? '')
        const byLimit = run?.outcome != null && (isCounted(run.outcome) || run.outcome === 'protocol_violation')
        if (!byBound && !byLimit) yield `${run?.outcome} opened the breaker of ${is.id}`
        const stopped = is.blockKind === null ? ['review'] : ['blocked', 'triage']
        if (!stopped.includes(is.status)) yield `${is.id} is ${is.status}`
      }
    }))

  /** Whether a person decided it: now, or before by an intent or a check that waited for the run to end. */
  const isByPerson = ({ command, step, before }: Life, id: TaskId): boolean => {
    const run = step.verb === 'settle' ? openRunOf(before, id) : undefined
    const by = run?.intent?.by ?? (run?.phase === 'check' ? run.claimedBy : null)
    return command.actor.kind === 'person' || (by !== null && !isAgentName(by))
  }

  test('close a breaker only for a person', () =>
    always(function* (life) {
      for (const { was, is } of changed(life))
        if (isTripped(was) && !isTripped(is) && !isByPerson(life, is.id)) yield `${life.step.verb} closed ${is.id}`
    }))

  test('are cleared when the breaker of a stopped card closes', () =>
    always(function* (life) {
      for (const { was, is } of changed(life)) {
        if (!['blocked', 'triage'].includes(was.status) || !isTripped(was) || isTripped(is)) continue
        if (is.consecutiveFailures + is.protocolViolations > 0) yield `${life.step.verb} kept the failures of ${is.id}`
      }
    }))

  test("start the window of attempts anew only by success or a person's reset", () =>
    always(function* (life) {
      for (const { was, is } of changed(life)) {
        if (is.attemptsSince === was.attemptsSince) continue
        const succeeded = settled(life, is.id)?.outcome === 'completed' || is.status === 'done'
        const isReset = life.step.verb === 'unblock' && life.events.some(({ data }) => data['reset'] === true)
        const byAgent = life.command.actor.kind === 'orchestrator' || life.command.actor.kind === 'worker'
        if ((!succeeded && !isReset) || byAgent) yield `${life.step.verb} forgot the attempts of ${is.id}`
      }
    }))

  test('keep a rate limited card out of every block', () =>
    always(function* (life) {
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
  /** Where a card stands, seen past a run that only checks or reviews it. */
  const standing = (state: ModelState, task: Task): Task['status'] =>
    openRunOf(state, task.id)?.fromStatus ?? task.status
  const isAway = (task: Task): boolean => task.status === 'archived' || task.deletedAt !== null

  /** By the word of a person or an orchestrator: now, or as an intent or a check that waited for its run to end. */
  function isByWord({ command, step, before }: Life, id: TaskId): boolean {
    const run = openRunOf(before, id)
    const waited = step.verb === 'settle' && run !== undefined && (run.phase === 'check' || run.intent !== null)
    return opensGates(command.actor) || waited
  }

  test('that is a block or triage opens only by a person or an orchestrator', () =>
    always(function* (life) {
      const isShut = (status: Task['status']): boolean => status === 'blocked' || status === 'triage'
      for (const { was, is } of changed(life)) {
        if (isAway(was) || isAway(is) || !isShut(standing(life.before, was))) continue
        if (!isShut(standing(life.after, is)) && !isByWord(life, is.id)) yield `${is.id} got through`
      }
    }))

  test('that is a review opens only by a person, an orchestrator, or the reviewer it asked for', () =>
    always(function* (life) {
      for (const { was, is } of changed(life)) {
        if (isAway(was) || isAway(is) || standing(life.before, was) !== 'review') continue
        if (!['done', 'ready', 'todo'].includes(standing(life.after, is))) continue
        const reviewed = life.step.verb === 'settle' && openRunOf(life.before, is.id)?.phase === 'review'
        // A dependency block sends the card to wait for its parents, which opens nothing.
        if (!reviewed && !isByWord(life, is.id) && is.blockKind !== 'dependency') yield `${is.id} got through`
      }
    }))

  test('that is a hold or an approval of commands opens only by those who may', () =>
    always(function* (life) {
      const { actor } = life.command
      for (const { was, is } of changed(life)) {
        if (was.held && !is.held && !opensGates(actor)) yield `${is.id} was released`
        if (!was.commandsApproved && is.commandsApproved && actor.kind !== 'person') yield `${is.id} was approved`
      }
    }))

  test('keeps a card hidden until a person or an orchestrator restores it', () =>
    always(function* (life) {
      for (const { was, is } of changed(life))
        if (isAway(was) && !isAway(is) && life.command.actor.kind === 'worker') yield `${is.id} came back`
    }))
})

describe('the event log', () => {
  test('records every change of status, hold and visibility in its step', () =>
    always(function* (life) {
      const told = new Set(life.events.map((event) => event.taskId))
      for (const { was, is } of changed(life)) {
        const moved = was.status !== is.status || was.held !== is.held || was.deletedAt !== is.deletedAt
        if (moved && !told.has(is.id)) yield `${is.id} went from ${was.status} to ${is.status} in silence`
      }
      const known = byTask(life.before.tasks)
      for (const { id } of life.after.tasks) if (!known.has(id) && !told.has(id)) yield `${id} was born in silence`
    }))

  test('only ever grows', () =>
    always(function* ({ before, after }) {
      if (!before.events.every((event, at) => event === after.events[at])) yield 'the past changed'
    }))
})

describe('a card that is not running', () => {
  const MACHINE = 'tablet'
  const CAPS = { machine: 4, agent: null, account: null }

  function admissionOf(store: ModelStore, task: Task, now: number): Admission | null {
    const board = store.board(task.board)
    if (board === null) return null
    const ownWork = store.workedOn(doubtedReviewer(task, board), task.id)
    const agent = runnerOf(task, board, ownWork)
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
      branchHolders: store.branchHolders(task),
      machine: MACHINE,
      ownWork,
    }
  }

  /** What is wrong with the reasons of one card: a claim that does not agree with them. */
  function* judged(store: ModelStore, id: TaskId, now: number): Generator<string> {
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
        agent: runnerOf(admission.task, admission.board, admission.ownWork) ?? 'nobody',
        machine: MACHINE,
        dispatcher: identity(9, MACHINE),
        dispatcherTokenHash: 'dispatch-tablet',
        caps: CAPS,
        pinned: true,
      },
    })
    if (claimed.ok !== (reasons.length === 0)) yield `${id}: ${claimed.ok ? 'started' : claimed.error.message}`
  }

  test('has a reason that names what clears it, or a dispatcher may take it', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(), async (script) => {
        const { store, now } = await live(script)
        const lead = { machine: MACHINE, tokenHash: 'dispatch-tablet', identity: identity(9, MACHINE), leaseMs: DAY }
        // Whichever board is still there: to lead is a matter of the machine.
        const [board] = store.state().boards
        if (board === undefined) return
        store.decide({ verb: 'lead_dispatch', board: board.slug, actor: clockwork, input: lead })
        expect(store.state().tasks.flatMap(({ id }) => [...judged(store, id, now)])).toEqual([])
      }),
      { numRuns: RUNS },
    )
  })
})
