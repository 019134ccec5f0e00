/**
 * Every invariant of the board, after every step. What the rows say among themselves the common oracle judges; here they
 * are held against what really happened. It shares no rule with core: a rule that is wrong there must not be wrong here
 * in the same way.
 */
import { requiredChecks } from '../../src/core/required-checks.ts'
import type { Command, Outcome } from '../../src/core/command.ts'
import type { BoardEvent } from '../../src/core/event.ts'
import type { Link } from '../../src/core/link.ts'
import type { Run } from '../../src/core/run.ts'
import type { Task } from '../../src/core/task.ts'
import { runDirectoryAt } from '../../src/runs/files/run-directory.ts'
import type { ProcessExit } from '../../src/processes/spawn.ts'
import { violations } from '../helpers/invariants.ts'
import type { BoardState } from '../helpers/invariants.ts'
import type { Kernel } from './kernel.ts'
import type { SimMachine } from './machine.ts'
import type { MemoryStore } from './memory-store.ts'
import type { SimProcess } from './process.ts'
import type { Witness } from './store-front.ts'
import type { RunTruth, Truth } from './truth.ts'
import { HOME } from './names.ts'

export interface Caps {
  readonly machine: number
  readonly board: number | null
  readonly agents: Readonly<Record<string, number>>
}

interface Court {
  readonly kernel: Kernel
  readonly machines: readonly SimMachine[]
  readonly memory: MemoryStore
  readonly truth: Truth
  readonly caps: Caps
  /** Earlier deadlines are too late then, so the oracle does not judge them. */
  readonly clockWasSetBack: () => boolean
}

interface Said {
  readonly process: SimProcess
  readonly command: Command
  readonly outcome: Outcome<unknown>
}

/** How long a woken machine takes to end processes that it no longer owns. */
const WAKING_MS = 60_000
/** A clock that is set by less than this is not noticed, and need not be. */
const UNNOTICED_MS = 6_000
/** What befell a machine may still be felt by runs that begin this long after. */
const AFTERMATH_MS = 60_000
/** A dispatcher that cannot reach the store for this long no longer leads. */
const LEAD_LOST_MS = 20_000
const COUNTED: readonly (string | null)[] = ['crashed', 'timed_out', 'spawn_failed', 'checks_failed']
/** The first, and two reminders. */
const MOST_SILENT_TURNS = 3
/** With a turn for each try of its checks but the last. */
const MOST_TURNS = MOST_SILENT_TURNS + 2
/** Verbs of a person, or a success, that forget earlier failures. */
const RESETS: readonly string[] = [
  'settle',
  'complete',
  'approve',
  'reclaim',
  'unblock',
  'reopen',
  'assign',
  'edit',
  'request_changes',
  'pause_burst',
  'promote_triage',
  'unarchive',
]
/** A card behind a human gate starts only after a person's command. */
const GATED: readonly string[] = ['triage', 'review', 'blocked']

interface Snapshot {
  readonly tasks: ReadonlyMap<string, Task>
  readonly runs: ReadonlyMap<string, Run>
  readonly links: readonly Link[]
  readonly now: number
}

const snapshotOf = ({ tasks, runs, links, now }: BoardState): Snapshot => ({
  tasks: new Map(tasks.map((task) => [task.id, task])),
  runs: new Map(runs.map((run) => [run.id, run])),
  links,
  now,
})

const EMPTY: Snapshot = { tasks: new Map(), runs: new Map(), links: [], now: 0 }

export class Oracle implements Witness {
  readonly faults: string[] = []
  looks = 0
  /** The ids of all events so far. */
  readonly eventIds: number[] = []
  readonly #events = new Map<string, Set<string>>()
  readonly #stage: Court
  #before = EMPTY
  #said: Said | null = null
  #dirty = true

  constructor(stage: Court) {
    this.#stage = stage
  }

  onCommand(process: SimProcess, command: Command, outcome: Outcome<unknown>): void {
    this.#said = { process, command, outcome }
    this.#dirty = true
  }

  look(): void {
    this.#accuse([...this.#twoWorkers(), ...this.#strangersHit()])
    if (!this.#dirty) return
    this.looks += 1
    const state = this.#stage.memory.state(this.eventIds.at(-1) ?? 0)
    this.#judge(state)
    this.#dirty = false
    this.#said = null
  }

  /** Whether a run is open, as far as was looked. */
  isOpen(run: string): boolean {
    return this.#before.runs.get(run)?.endedAt === null
  }

  /** After something that no process did. */
  lookAnew(): void {
    this.#dirty = true
    this.#said = null
    this.look()
  }

  /** Another content has taken the place of the old one: nothing that was seen before holds for it. */
  onRestore(): void {
    const state = this.#stage.memory.state(0)
    this.eventIds.length = 0
    this.#events.clear()
    this.#before = snapshotOf(state)
    this.#said = null
    this.#judge(state)
    this.#dirty = false
  }

  #accuse(found: readonly string[]): void {
    this.faults.push(...found)
  }

  #judge(state: BoardState): void {
    for (const { id, kind, runId } of state.events) {
      this.eventIds.push(id)
      if (runId !== null) this.#eventsOf(runId).add(kind)
    }
    const now = snapshotOf(state)
    this.#accuse(violations(state).filter((fault) => !this.#stage.clockWasSetBack() || !fault.includes(' is due ')))
    this.#accuse(
      state.tasks.flatMap((task) => [
        ...waitFaults(task, now),
        ...sweepFaults(task, now),
        ...(this.#stage.clockWasSetBack() ? [] : dueFaults(task, now)),
      ]),
    )
    this.#accuse(state.runs.flatMap((run) => this.#runFaults(run, now, state.events)))
    if (this.#said !== null) {
      this.#accuse(this.#commandFaults(this.#said, now, state.events))
      this.#accuse(this.#lateFaults(this.#said, state.events))
    }
    this.#before = now
  }

  #eventsOf(run: string): Set<string> {
    const known = this.#events.get(run) ?? new Set()
    this.#events.set(run, known)
    return known
  }

  #runFaults(run: Run, now: Snapshot, events: readonly BoardEvent[]): string[] {
    const before = this.#before.runs.get(run.id)
    if (before?.endedAt != null)
      return before.endedAt === run.endedAt &&
        before.outcome === run.outcome &&
        JSON.stringify(before) === JSON.stringify(run)
        ? []
        : [`${run.id} was closed, and changed`]
    if (run.endedAt !== null) return this.#endFaults(run, now, events)
    return before === undefined ? this.#startFaults(run, now) : []
  }

  /** Nothing starts before its parents, nor beyond a cap. */
  #startFaults(run: Run, { tasks, runs, links }: Snapshot): string[] {
    const { caps } = this.#stage
    const open = [...runs.values()].filter(({ endedAt, kind }) => endedAt === null && kind === 'agent')
    const used = (of: (other: Run) => boolean): number => open.filter(of).length
    const faults = [...openParents(run.taskId, { tasks, links })].map(
      (parent) => `${run.id} of ${run.taskId} was begun before ${parent} is done`,
    )
    if (run.kind !== 'agent') return run.phase === 'check' ? [] : faults
    const known = this.#stage.truth.of(run.id)
    known.claimedAt = this.#machineOf(run)?.running() ?? null
    known.claimedAtTrue = this.#stage.kernel.now
    const over = (what: string, count: number, limit: number | null): void => {
      if (limit !== null && count > limit) faults.push(`${count} runs at once ${what}, not ${limit}`)
    }
    over(
      `on ${run.machine}`,
      used(({ machine }) => machine === run.machine),
      caps.machine,
    )
    over('on the board', open.length, caps.board)
    over(
      `of ${run.agent}`,
      used(({ agent }) => agent === run.agent),
      caps.agents[run.agent ?? ''] ?? null,
    )
    return run.phase === 'check' ? [] : faults
  }

  #endFaults(run: Run, now: Snapshot, events: readonly BoardEvent[]): string[] {
    if (run.kind !== 'agent') return []
    const { turns } = this.#stage.truth.of(run.id)
    if (turns > MOST_TURNS) return [`${run.id} had ${turns} turns`]
    return [...this.#aliveFaults(run), ...this.#outcomeFaults(run, now), ...this.#wordFaults(run, events)]
  }

  /** A run is closed when nothing of it lives. Of another machine's run, what has outlived its lease counts as that. */
  #aliveFaults(run: Run): string[] {
    const closer = this.#said?.process.machine
    return this.#processesOf(run.id)
      .filter(
        ({ machine, role }) =>
          role !== 'supervisor' &&
          role !== 'watchdog' &&
          (machine === closer || !excused(machine, this.#stage.kernel.now)),
      )
      .map(({ name }) => `${run.id} was closed (${run.outcome}) while ${name} lives`)
  }

  /** Machines that share an id differ by their boot ids. */
  #machineOf({ machine, identity, dispatcher }: Run): SimMachine | undefined {
    const { bootId = null } = identity ?? dispatcher ?? {}
    return this.#stage.machines.find(
      ({ host, name }) => host.machine.id === machine && (bootId === null || bootId.startsWith(`boot-${name}-`)),
    )
  }

  #processesOf(run: string): SimProcess[] {
    return this.#stage.machines.flatMap((machine) =>
      [...machine.processes.values()].filter((one) => one.run === run && one.isAlive),
    )
  }

  /** Workers whose run is closed and that should have ended. */
  abandoned(): SimProcess[] {
    return this.#stage.machines.flatMap(({ processes }) =>
      [...processes.values()].filter(
        ({ role, isAlive, run }) =>
          isAlive && (role === 'worker' || role === 'wrapper') && run !== null && !this.isOpen(run),
      ),
    )
  }

  /** Never two live workers for one card, nor those of two turns of its run. */
  #twoWorkers(): string[] {
    const { kernel, machines, truth } = this.#stage
    const living = new Map<string, SimProcess>()
    for (const machine of machines) {
      if (excused(machine, kernel.now)) continue
      for (const process of machine.processes.values()) {
        if (process.role !== 'worker' || !process.isAlive || process.run === null) continue
        const { task } = truth.of(process.run)
        const other = living.get(task)
        if (other !== undefined && attemptOf(other) !== attemptOf(process))
          return [
            `${task} has two workers: ${other.name} of ${attemptOf(other)}, ${process.name} of ${attemptOf(process)}`,
          ]
        living.set(task, process)
      }
    }
    return []
  }

  /** A reused pid is never signalled. */
  #strangersHit(): string[] {
    const hit = this.#stage.machines.flatMap(({ strangers }) => strangers.filter(({ isAlive }) => !isAlive))
    return hit.map(({ name }) => `${name} was ended, and is none of ours`)
  }

  /** A run fails only if its worker did; it succeeds only if the worker finished or a person completed it. */
  #outcomeFaults(run: Run, { tasks }: Snapshot): string[] {
    const known = this.#stage.truth.of(run.id)
    const task = tasks.get(run.taskId)
    const fault = (why: string): string[] => [
      `${run.id} of ${run.taskId} is ${run.outcome}, but ${why} (${run.error ?? ''})`,
    ]
    const machine = this.#machineOf(run)
    const spent = machine === undefined ? 0 : machine.running() - (known.claimedAt ?? machine.running())
    if (run.exitCode !== null && run.exitCode < 128 && !known.killed && run.exitCode !== known.ownExit)
      return fault(`exit ${run.exitCode} is not that of its last turn (${known.ownExit})`)
    switch (run.outcome) {
      case 'crashed':
        return known.killed ||
          stoppedInShutdown(known) ||
          (known.ownExit !== null && known.ownExit !== 0 && known.ownExit !== 75)
          ? []
          : fault(`its worker did not fail by itself (${known.ownExit})`)
      case 'protocol_violation':
        // An agent that can continue is asked twice more.
        return known.turns === MOST_SILENT_TURNS ? [] : fault(`it had ${known.turns} turns`)
      case 'rate_limited':
        return known.ownExit === 75 ? [] : fault('its worker met no limit')
      case 'timed_out':
        return run.maxRuntimeMs !== null && spent >= run.maxRuntimeMs * 0.9
          ? []
          : fault(`it ran for ${Math.round(spent)} ms of ${run.maxRuntimeMs}`)
      case 'checks_failed':
        return known.checkFailed || run.intent !== null ? [] : fault('no check failed')
      case 'spawn_failed':
        if (known.refused) return []
        if (run.registeredAt !== null) return fault('it had started')
        if ((machine?.longestOutage(known.claimedAtTrue) ?? 0) > LEAD_LOST_MS)
          return fault('the store was out of reach')
        return endedByItself(known.supervisorExit) || missedStart(run, spent)
          ? []
          : fault(`it had ${Math.round(spent)} ms, and its supervisor did not end by itself`)
      case 'interrupted':
        return known.troubled || known.refused || this.#wasTroubled(machine, known)
          ? this.#lostExit(run, task)
          : fault('nothing had befallen it')
      case 'completed':
        if (run.intent !== null) return []
        if (task !== undefined && requiredChecks(task, run).length > 0 && !known.checkPassed)
          return fault('its checks did not pass')
        return run.phase === 'check' ||
          known.ownExit === 0 ||
          known.said === 'complete' ||
          run.verdict?.kind === 'complete'
          ? []
          : fault(`its worker never came to its end (${known.ownExit})`)
      case 'blocked':
      case 'review_requested':
      case 'changes_requested':
        return run.verdict !== null || run.intent !== null || known.said !== null ? [] : fault('nobody said so')
      case 'stopped':
      case 'reclaimed':
        return run.intent !== null ? [] : fault('nobody asked for it')
      default:
        return []
    }
  }

  /** Whether something befell the machine shortly before a run of it, or since; a clock that was set back stays wrong. */
  #wasTroubled(machine: SimMachine | undefined, { claimedAtTrue }: RunTruth): boolean {
    if (machine === undefined || machine.asleep || machine.cutOff || this.#stage.clockWasSetBack()) return true
    return machine.troubledAt > claimedAtTrue - AFTERMATH_MS
  }

  /** An agent that ended without a signal is judged by its exit, if the closing machine can see it. */
  #lostExit(run: Run, task: Task | undefined): string[] {
    const { process } = this.#said ?? {}
    const { ownExit, ended } = this.#stage.truth.of(run.id)
    if (process === undefined || ownExit === null || ended || process.machine !== this.#machineOf(run)) return []
    const directory = runDirectoryAt(`${HOME}/runs/${run.id}`)
    const { disk } = process.machine
    const told = (disk.find(directory.exit)?.data.length ?? 0) > 0 && disk.find(directory.cutOff) === null
    const own = run.terminatingReason === null || run.terminatingReason === 'leftovers'
    if (!told || !own || run.verdict !== null || run.intent !== null) return []
    if (task !== undefined && requiredChecks(task, run).length > 0) return []
    // An agent that owes a verdict would have been asked for it.
    if (ownExit === 0 && run.agent === 'coder') return []
    return [`${run.id} is interrupted, though its worker had ended by itself with ${ownExit} (${run.error ?? ''})`]
  }

  /** A recorded verdict is carried out or kept. */
  #wordFaults(run: Run, events: readonly BoardEvent[]): string[] {
    const { heard } = this.#stage.truth.of(run.id)
    const carriedOut: Readonly<Record<string, string>> = {
      complete: 'completed',
      block: 'blocked',
      'request-review': 'review_requested',
    }
    if (heard === null || run.outcome === carriedOut[heard]) return []
    const kept = events.some(({ kind, runId }) => kind === 'late_result' && runId === run.id)
    return kept || this.#eventsOf(run.id).has('verdict_withdrawn')
      ? []
      : [`${run.id} is ${run.outcome}: its worker said ${heard}, and that is lost`]
  }

  /** A write for a run that is over, or under a fence that is not its own, is refused, and everything in it is kept. */
  #lateFaults({ command, outcome, process }: Said, events: readonly BoardEvent[]): string[] {
    const { verb, input } = command
    const run = writerOf(command)
    if (run === null || outcome.ok || WITHOUT_CONTENT.includes(verb)) return []
    const isOver = this.#before.runs.get(run)?.endedAt !== null
    if (!isOver && outcome.error.code !== 'run_superseded') return []
    const kept = events.find(
      ({ kind, runId, data }) => kind === 'late_result' && runId === run && data['verb'] === verb,
    )
    if (kept === undefined) return [`${verb} by ${process.name} came late, and what it said was not kept`]
    const known = new Set(leavesOf(kept.data['content']))
    return Object.entries(input)
      .filter(([field, value]) => !ADDRESS.includes(field) && leavesOf(value).some((leaf) => !known.has(leaf)))
      .map(([field]) => `${verb} by ${process.name} came late, and its ${field} was not kept`)
  }

  #commandFaults({ command, outcome, process }: Said, { tasks }: Snapshot, events: readonly BoardEvent[]): string[] {
    const faults: string[] = []
    const { verb, actor } = command
    if (process.forged && outcome.ok) faults.push(`${verb} was taken from ${process.name}, whose fence is forged`)
    for (const task of tasks.values()) {
      const before = this.#before.tasks.get(task.id)
      if (before === undefined || before === task) continue
      if (
        task.status === 'done' &&
        before.status !== 'done' &&
        before.archivedFrom !== 'done' &&
        !events.some(({ kind, taskId }) => kind === 'completed' && taskId === task.id)
      )
        faults.push(`${task.id} is done without an event that says so`)
      const isReset = RESETS.includes(verb) || (before.breakerOpen && !task.breakerOpen)
      if (task.consecutiveFailures < before.consecutiveFailures && !isReset)
        faults.push(`${verb} forgot the failures of ${task.id}`)
      if (task.consecutiveFailures > before.consecutiveFailures && !this.#failed(task.id))
        faults.push(`${verb} counts a failure of ${task.id} that was none of its own`)
      const opened =
        (GATED.includes(before.status) && !GATED.includes(task.status) && task.status !== 'archived') ||
        (before.held && !task.held)
      if (opened && actor.kind !== 'person' && !(before.status === 'review' && verb === 'claim'))
        faults.push(
          `${verb} by ${actor.kind} ${actor.name} opened a human gate of ${task.id}: ${before.status} → ${task.status}`,
        )
      if (
        before.breakerOpen &&
        !task.breakerOpen &&
        actor.kind !== 'person' &&
        verb !== 'pause_burst' &&
        verb !== 'settle'
      )
        faults.push(`${verb} closed the breaker of ${task.id}`)
    }
    return faults
  }

  /** Whether a run of this card was just closed with an outcome that counts. */
  #failed(task: string): boolean {
    return [...this.#stage.memory.state(Number.MAX_SAFE_INTEGER).runs].some(
      (run) =>
        run.taskId === task &&
        run.endedAt !== null &&
        this.#before.runs.get(run.id)?.endedAt == null &&
        COUNTED.includes(run.outcome),
    )
  }
}

/**
 * A supervisor that is stopped between the death of its agent and its own signal cannot see that both belong together.
 * The signal takes up to 3 s to reach it here, and the longest grace is 6 s.
 */
const stoppedInShutdown = ({ shutDownAt, stoppedAt }: RunTruth): boolean =>
  shutDownAt !== null && stoppedAt !== null && stoppedAt >= shutDownAt && stoppedAt <= shutDownAt + 9_000

const endedByItself = (exit: ProcessExit | null): boolean => exit !== null && exit.signal === null

/** A deadline of 0 sets a live supervisor no limit. */
function missedStart({ startDeadlineAt, startedAt }: Run, spentMs: number): boolean {
  const deadlineMs = (startDeadlineAt ?? startedAt) - startedAt
  return deadlineMs > 0 && spentMs >= deadlineMs - UNNOTICED_MS
}

/** Commands by which a supervisor announces its next step: nothing is lost if the run is not its own any more. */
const WITHOUT_CONTENT: readonly string[] = ['register', 'terminating', 'next_turn']

/** Fields that name the card and the run, or prove ownership. */
const ADDRESS: readonly string[] = ['task', 'runId', 'fence', 'by']

/** The run for which a command writes, or null. */
function writerOf({ verb, input, actor }: Command): string | null {
  const { fence, runId } = input as { fence?: { runId: string } | null; runId?: string }
  if (fence != null) return fence.runId
  if (verb === 'settle') return runId ?? null
  return 'runId' in actor ? actor.runId : null
}

/** Every text, number and `true` in a value; the rest may be a default. */
function leavesOf(value: unknown): unknown[] {
  if (value === null || value === undefined || value === false || value === '') return []
  if (typeof value === 'object') return Object.values(value).flatMap(leavesOf)
  return [typeof value === 'string' ? value.trim() : value]
}

const attemptOf = ({ run, env }: SimProcess): string => `${run} turn ${env['MUSTER_TURN']}`

/** A machine that sleeps ends nothing; once awake it needs a moment. */
const excused = ({ asleep, wokeAt }: { asleep: boolean; wokeAt: number }, now: number): boolean =>
  asleep || now - wokeAt < WAKING_MS

function* openParents(child: string, { tasks, links }: Pick<Snapshot, 'tasks' | 'links'>): Generator<string> {
  for (const { parentId, childId, waivedBy } of links) {
    const parent = tasks.get(parentId)
    if (childId !== child || waivedBy !== null || parent === undefined || parent.deletedAt !== null) continue
    if (parent.status !== 'done' && parent.status !== 'archived') yield parentId
  }
}

/** A parent's files can be read by its children until the last of them is over. */
const unfinishedChildren = (parent: string, { tasks, links }: Pick<Snapshot, 'tasks' | 'links'>): string[] =>
  links.flatMap(({ parentId, childId }) => {
    const child = parentId === parent ? tasks.get(childId) : undefined
    const isOver =
      child === undefined || child.deletedAt !== null || child.status === 'done' || child.status === 'archived'
    return isOver ? [] : [childId]
  })

/** While a sweep runs, no card needs the files it removes. */
const sweepFaults = ({ id, workspace }: Task, now: Snapshot): string[] =>
  workspace.state === 'sweeping'
    ? unfinishedChildren(id, now).map(
        (child) => `the files of ${id} are being swept, though ${child} may still need them`,
      )
    : []

/** A card waits for its parents as long as one of them is not done, and no longer. */
function waitFaults(task: Task, now: Snapshot): string[] {
  if (task.deletedAt !== null) return []
  const waits = [...openParents(task.id, now)].length > 0
  if (task.status === 'todo' && !waits) return [`${task.id} is todo, and nothing is left to wait for`]
  return task.status === 'ready' && waits ? [`${task.id} is ready before its parents`] : []
}

/** A process that sleeps until `dueAt` must not miss any deadline. */
function dueFaults(task: Task, { runs }: Snapshot): string[] {
  if (task.deletedAt !== null) return []
  const run = task.currentRunId === null ? undefined : runs.get(task.currentRunId)
  const deadlines =
    run === undefined || run.kind === 'manual'
      ? task.status === 'scheduled'
        ? [task.scheduledAt]
        : []
      : [
          run.leaseUntil,
          run.registeredAt === null ? run.startDeadlineAt : null,
          run.maxRuntimeMs === null ? null : run.startedAt + run.maxRuntimeMs,
        ]
  const missed = deadlines.find((at) => at !== null && (task.dueAt === null || task.dueAt > at))
  return missed == null ? [] : [`${task.id} is looked at ${task.dueAt}, after its deadline ${missed}`]
}
