/** What holds for every life of a board, however odd. Each sentence is an invariant of the design. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { reasonsToWait, runnerOf } from '../../src/core/admission.ts'
import type { Admission } from '../../src/core/admission.ts'
import { opensGates } from '../../src/core/actor.ts'
import type { BoardEvent } from '../../src/core/event.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { isCounted } from '../../src/core/retry.ts'
import type { Fence, Run } from '../../src/core/run.ts'
import type { Task } from '../../src/core/task.ts'
import { VERBS } from '../../src/core/transitions/index.ts'
import type { VerbName } from '../../src/core/transitions/index.ts'
import { OUTCOMES } from '../../src/core/vocabulary.ts'
import { FakeClock, runScript, scripts } from '../helpers/commands.ts'
import type { Step, Trace } from '../helpers/commands.ts'
import { malformed, violations } from '../helpers/invariants.ts'
import { ModelStore } from '../helpers/model-store.ts'
import type { ModelState } from '../helpers/model-store.ts'
import { DAY, NOON, clockwork, identity, runOf } from '../helpers/sample.ts'

const RUNS = 120

interface Life extends Trace {
  readonly store: ModelStore
  readonly clock: FakeClock
  readonly before: ModelState
  readonly after: ModelState
  /** The events of this step. */
  readonly events: readonly BoardEvent[]
}

/** Lives a script on a fresh board and shows every step with the rows before and after it. */
async function live(
  script: readonly Step[],
  look: (life: Life) => void = () => {},
): Promise<ModelStore & { clock: FakeClock }> {
  const clock = new FakeClock(NOON)
  const store = new ModelStore(clock.now)
  let before = store.state()
  await runScript(
    script,
    (command) => store.decide(command),
    clock,
    (trace) => {
      const after = store.state()
      look({ ...trace, store, clock, before, after, events: after.events.slice(before.events.length) })
      before = after
    },
  )
  return Object.assign(store, { clock })
}

const always = (look: (life: Life) => void, numRuns = RUNS): Promise<void> =>
  fc.assert(
    fc.asyncProperty(scripts(), async (script) => {
      await live(script, look)
    }),
    { numRuns },
  )

const byTask = (rows: readonly Task[]): ReadonlyMap<TaskId, Task> => new Map(rows.map((row) => [row.id, row]))
const openRunOf = (state: ModelState, id: TaskId): Run | undefined =>
  state.runs.find((run) => run.taskId === id && run.endedAt === null)

/** Each card that was there before and after, as both. */
function pairs({ before, after }: Life): { was: Task; is: Task }[] {
  const old = byTask(before.tasks)
  return after.tasks.flatMap((is) => {
    const was = old.get(is.id)
    return was === undefined || was === is ? [] : [{ was, is }]
  })
}

/** The state without what a refusal may leave behind: its record, and places that now have a row. */
const substance = ({ events, slots, ...rest }: ModelState): unknown => rest

describe('every life of a board', () => {
  test('keeps all data invariants after every step', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(), async (script) => {
        const store = await live(script, ({ after, clock }) => {
          expect(violations({ ...after, now: clock.now() })).toEqual([])
        })
        expect(malformed({ ...store.state(), now: store.clock.now() })).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  test('reaches every verb, accepted and refused, and every outcome', async () => {
    const accepted = new Set<VerbName>()
    const refused = new Set<VerbName>()
    const outcomes = new Set<string>()
    for (const script of fc.sample(scripts(), { numRuns: 250, seed: 7 }))
      await live(script, ({ step, outcome, after }) => {
        ;(outcome.ok ? accepted : refused).add(step.verb)
        for (const run of after.runs) if (run.outcome !== null) outcomes.add(run.outcome)
      })
    const all = Object.keys(VERBS) as VerbName[]
    expect(all.filter((verb) => !accepted.has(verb))).toEqual([])
    // Making a board that is there, leaving what one does not lead, and talking are never refused in this universe.
    const mild: VerbName[] = ['create_board', 'leave_dispatch']
    expect(all.filter((verb) => !refused.has(verb) && !mild.includes(verb))).toEqual([])
    expect(OUTCOMES.filter((outcome) => !outcomes.has(outcome))).toEqual(['gave_up'])
  })

  test('is the same when it is lived twice', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(12), async (script) => {
        expect((await live(script)).state()).toEqual((await live(script)).state())
      }),
      { numRuns: 30 },
    )
  })
})

describe('runs', () => {
  test('never change once they are closed', () =>
    always(({ before, after }) => {
      const now = new Map(after.runs.map((run) => [run.id, run]))
      for (const run of before.runs) if (run.endedAt !== null && now.has(run.id)) expect(now.get(run.id)).toEqual(run)
    }))

  test('start only when no unwaived parent gates the card', () =>
    always((life) => {
      for (const { was, is } of pairs(life))
        if (is.status === 'running' && was.status !== 'running' && life.outcome.ok) expect(was.openParents).toBe(0)
    }))

  test('never exceed the caps they were claimed under', () =>
    always(({ after }) => {
      const open = after.runs.filter((run) => run.endedAt === null && run.kind === 'agent' && run.phase !== 'check')
      const most = (of: (run: Run) => string | null): number =>
        Math.max(0, ...open.map((run) => (of(run) === null ? 0 : open.filter((other) => of(other) === of(run)).length)))
      expect(most((run) => run.machine)).toBeLessThanOrEqual(2)
      expect(most((run) => run.account)).toBeLessThanOrEqual(2)
    }))
})

describe('a fence', () => {
  const FENCED: readonly VerbName[] = ['register', 'heartbeat', 'verdict', 'checks', 'terminating', 'settle']
  /** Verbs that bring something worth keeping. */
  const HEARD: readonly VerbName[] = ['heartbeat', 'verdict', 'checks', 'settle']

  test('that is stale changes nothing, says so, and has its content kept as a late result', () =>
    always((life) => {
      const { step, command, outcome, before, after, events } = life
      if (!FENCED.includes(step.verb)) return
      const input = command.input as { task: TaskId; fence?: Fence | null; by?: { fence?: Fence } }
      const fence = input.by?.fence ?? input.fence
      const task = byTask(before.tasks).get(input.task)
      if (!fence || task === undefined || task.board !== command.board || task.deletedAt !== null) return
      const open = openRunOf(before, task.id)
      if (open?.id === fence.runId && open.tokenHash === fence.tokenHash) return
      expect(outcome.ok ? 'accepted' : outcome.error.code).toBe('run_superseded')
      expect(substance(after)).toEqual(substance(before))
      expect(events.map((event) => event.kind)).toEqual(HEARD.includes(step.verb) ? ['late_result'] : [])
    }))

  test('that holds is what every change of a live agent run by its worker shows', () =>
    always(({ step, command, before, after }) => {
      if (!FENCED.includes(step.verb)) return
      const open = openRunOf(before, (command.input as { task: TaskId }).task)
      const now = after.runs.find((run) => run.id === open?.id)
      if (open === undefined || now === open || now === undefined) return
      const input = command.input as { fence?: Fence | null; by?: { fence?: Fence; dispatcherTokenHash?: string } }
      const fence = input.by?.fence ?? input.fence
      if (fence) expect([fence.runId, fence.tokenHash]).toEqual([open.id, open.tokenHash])
      else expect(step.verb === 'settle' ? input.by?.dispatcherTokenHash : open.kind).toMatch(/^(dispatch-|manual)/)
    }))

  test('that was replaced gives its worker no way to change the card', () =>
    always(({ command, before, after, outcome }) => {
      const { actor } = command
      if (actor.kind !== 'worker' || !outcome.ok) return
      const own = byTask(before.tasks).get(actor.taskId)
      if (own === undefined || own.currentRunId === actor.runId || own.createdByRun === actor.runId) return
      if (['comment', 'pause_account', 'wake', 'purge', 'link', 'create', 'decompose'].includes(command.verb)) return
      if (FENCED.includes(command.verb)) return
      const now = byTask(after.tasks).get(own.id)
      if (now !== undefined) expect({ ...now, updatedAt: 0, dueAt: 0 }).toEqual({ ...own, updatedAt: 0, dueAt: 0 })
    }))
})

describe('a refusal', () => {
  test('changes nothing but its record, save a claim that sends a card with open parents back to waiting', () =>
    always(({ outcome, before, after, events }) => {
      if (outcome.ok) return
      const kinds = events.map((event) => event.kind)
      if (outcome.error.code === 'parents_open' && kinds.includes('claim_rejected')) return
      expect(substance(after)).toEqual(substance(before))
      for (const kind of kinds) expect(['late_result', 'completion_refused']).toContain(kind)
    }))

  test('says in words what is wrong', () =>
    always(({ outcome }) => {
      if (!outcome.ok) expect(outcome.error.message).toMatch(/^(?!.*(undefined|null|object)).*\w.* .*/)
    }))
})

describe('a command that is sent again', () => {
  const REPEATABLE: readonly VerbName[] = [
    'create',
    'create_board',
    'claim',
    'claim_manual',
    'link',
    'register',
    'assign',
    'hold',
  ]

  test('changes nothing when creating, claiming, linking, registering, assigning or holding', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(12), async (script) => {
        await live(script, ({ step, command, outcome, store, after }) => {
          if (!outcome.ok || !REPEATABLE.includes(step.verb)) return
          const again = store.decide(command)
          expect(again.ok).toBe(true)
          expect(store.state()).toEqual(after)
        })
      }),
      { numRuns: 60 },
    )
  })
})

describe('counters', () => {
  /** Verbs that give a clean slate: success, or a person's word. */
  const RESETS: readonly VerbName[] = [
    'settle',
    'complete',
    'approve',
    'unblock',
    'reopen',
    'reclaim',
    'edit',
    'assign',
  ]

  const settled = ({ step, before, after }: Life, id: TaskId): Run | undefined => {
    const open = openRunOf(before, id)
    return step.verb === 'settle' ? after.runs.find((run) => run.id === open?.id && run.endedAt !== null) : undefined
  }

  test("count only the agent's own failures", () =>
    always((life) => {
      for (const { was, is } of pairs(life)) {
        const run = settled(life, is.id)
        const isWork = run?.phase === 'work' && run.intent === null
        const counted = isWork && run.outcome !== null && isCounted(run.outcome)
        const silent = isWork && run.outcome === 'protocol_violation'
        if (counted) expect(is.consecutiveFailures).toBe(was.consecutiveFailures + 1)
        else expect([was.consecutiveFailures, 0]).toContain(is.consecutiveFailures)
        if (silent) expect(is.protocolViolations).toBe(was.protocolViolations + 1)
        else expect([was.protocolViolations, 0]).toContain(is.protocolViolations)
      }
    }))

  test('fall only by success or by the word of somebody who may give it', () =>
    always((life) => {
      for (const { was, is } of pairs(life))
        if (is.consecutiveFailures < was.consecutiveFailures) expect(RESETS).toContain(life.step.verb)
    }))

  test('open the breaker at the limit, and never because of a rate limit, a stop, or a lost machine', () =>
    always((life) => {
      for (const { was, is } of pairs(life)) {
        const run = settled(life, is.id)
        if (run === undefined || was.breakerOpen || !is.breakerOpen) continue
        expect(is.status).toBe(run.phase === 'review' && is.blockKind === null ? 'review' : 'blocked')
        expect(['rate_limited', 'stopped', 'reclaimed']).not.toContain(run.outcome)
        if (is.blockKind === 'attempts') continue
        expect(['crashed', 'timed_out', 'spawn_failed', 'checks_failed', 'protocol_violation']).toContain(run.outcome)
      }
    }))

  test('keep a rate limited card out of every block', () =>
    always((life) => {
      for (const { is } of pairs(life)) {
        const run = settled(life, is.id)
        if (run?.outcome !== 'rate_limited' || run.phase === 'check') continue
        expect(['ready', 'todo', 'review']).toContain(is.status)
        expect(is.cooldownUntil).toBeGreaterThan(life.clock.now())
      }
    }))
})

describe('a human gate', () => {
  /** Where a card stands, seen past a run that only checks or reviews it. */
  const standing = (state: ModelState, task: Task): Task['status'] =>
    openRunOf(state, task.id)?.fromStatus ?? task.status
  const isOutOfSight = (task: Task): boolean => task.status === 'archived' || task.deletedAt !== null

  /** By the word of a person or an orchestrator: now, or as an intent or a check that waited for its run to end. */
  function isByWord({ command, step, before }: Life, id: TaskId): boolean {
    if (opensGates(command.actor)) return true
    const run = openRunOf(before, id)
    return step.verb === 'settle' && run !== undefined && (run.phase === 'check' || run.intent !== null)
  }

  test('that is a block or triage opens only by a person or an orchestrator', () =>
    always((life) => {
      for (const { was, is } of pairs(life)) {
        const gate = standing(life.before, was)
        if ((gate !== 'blocked' && gate !== 'triage') || isOutOfSight(was) || isOutOfSight(is)) continue
        const now = standing(life.after, is)
        if (now !== 'blocked' && now !== 'triage') expect(isByWord(life, is.id)).toBe(true)
      }
    }))

  test('that is a review opens only by a person, an orchestrator, or the reviewer it asked for', () =>
    always((life) => {
      for (const { was, is } of pairs(life)) {
        if (standing(life.before, was) !== 'review' || isOutOfSight(was) || isOutOfSight(is)) continue
        if (!['done', 'ready', 'todo'].includes(standing(life.after, is))) continue
        const reviewed = openRunOf(life.before, is.id)?.phase === 'review'
        // A dependency block sends the card to wait for its parents, which opens nothing.
        const waits = is.blockKind === 'dependency'
        expect(isByWord(life, is.id) || (life.step.verb === 'settle' && reviewed) || waits).toBe(true)
      }
    }))

  test('that is a hold or an approval of commands opens only by those who may', () =>
    always((life) => {
      for (const { was, is } of pairs(life)) {
        if (was.held && !is.held) expect(opensGates(life.command.actor)).toBe(true)
        if (!was.commandsApproved && is.commandsApproved) expect(life.command.actor.kind).toBe('person')
      }
    }))

  test('keeps a card out of sight until a person or an orchestrator brings it back', () =>
    always((life) => {
      for (const { was, is } of pairs(life))
        if (isOutOfSight(was) && !isOutOfSight(is))
          expect(opensGates(life.command.actor) || life.command.actor.kind === 'board').toBe(true)
    }))
})

describe('the event log', () => {
  test('tells every change of status, of hold and of sight in the step that makes it', () =>
    always((life) => {
      const told = new Set(life.events.map((event) => event.taskId))
      for (const { was, is } of pairs(life)) {
        const changed = was.status !== is.status || was.held !== is.held || was.deletedAt !== is.deletedAt
        if (changed) expect(told).toContain(is.id)
      }
      const known = byTask(life.before.tasks)
      for (const task of life.after.tasks) if (!known.has(task.id)) expect(told).toContain(task.id)
    }))

  test('only ever grows', () =>
    always(({ before, after }) => {
      expect(after.events.slice(0, before.events.length)).toEqual(before.events)
    }, 40))
})

describe('a card that is not running', () => {
  const MACHINE = 'tablet'

  const admissionOf = (store: ModelStore, task: Task, now: number): Admission | null => {
    const board = store.board(task.board)
    if (board === null) return null
    const agent = runnerOf(task, board)
    const slots = [
      { kind: 'machine' as const, name: MACHINE },
      { kind: 'board' as const, name: board.slug },
      ...(agent === null ? [] : [{ kind: 'agent' as const, name: agent }]),
    ]
    const users = store.state().tasks.filter((other) => other.status === 'running' && other.workspace.kind === 'dir')
    const sharing = users.find((other) => other.id !== task.id && other.workspace.path === task.workspace.path)
    return {
      task,
      board,
      now,
      openParents: store.openParents(task.id),
      slots: slots.flatMap((key) => store.slot(key) ?? []),
      account: null,
      openRuns: store.openRuns({ machine: MACHINE, agent, account: null }, board.slug),
      caps: { machine: 4, agent: null, account: null },
      directoryUser: task.workspace.kind === 'dir' ? (sharing?.id ?? null) : null,
    }
  }

  test('has a reason that names what clears it, or a dispatcher may take it', async () => {
    await fc.assert(
      fc.asyncProperty(scripts(), async (script) => {
        const store = await live(script)
        const { clock } = store
        store.decide({
          verb: 'lead_dispatch',
          board: 'main',
          actor: clockwork,
          input: { machine: MACHINE, tokenHash: 'dispatch-tablet', identity: identity(9, MACHINE), leaseMs: DAY },
        })
        for (const [at, { id }] of store.state().tasks.entries()) {
          const task = store.task(id)
          const admission = task === null ? null : admissionOf(store, task, clock.now())
          if (task === null || admission === null || task.status === 'running') continue
          const reasons = reasonsToWait(admission)
          for (const reason of reasons) expect([reason.message, reason.clears]).not.toContain('')
          const claimed = store.decide({
            verb: 'claim',
            board: task.board,
            actor: clockwork,
            input: {
              task: id,
              runId: runOf(`last${at}`),
              tokenHash: 'last',
              agent: runnerOf(task, admission.board) ?? 'nobody',
              machine: MACHINE,
              dispatcher: identity(9, MACHINE),
              dispatcherTokenHash: 'dispatch-tablet',
              caps: { machine: 4, agent: null, account: null },
            },
          })
          expect(claimed.ok).toBe(reasons.length === 0)
        }
      }),
      { numRuns: RUNS },
    )
  })
})
