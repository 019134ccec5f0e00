/**
 * Checks every invariant of the board after every step. The shared checks (helpers/invariants.ts) compare the rows of
 * the store with each other. This oracle compares the rows with the true course of the simulation. It shares no rule
 * with core, so that it does not repeat a wrong rule.
 */
import { requiredChecks } from '../../src/core/required-checks.ts'
import type { Command, DecisionOutcome } from '../../src/core/command.ts'
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
import type { CommandObserver } from './store-front.ts'
import type { RunTruth, Truth } from './truth.ts'
import { HOME } from './names.ts'

export interface Caps {
  readonly machine: number
  readonly board: number | null
  readonly agents: Readonly<Record<string, number>>
}

interface OracleContext {
  readonly kernel: Kernel
  readonly machines: readonly SimMachine[]
  readonly memory: MemoryStore
  readonly truth: Truth
  readonly caps: Caps
  /**
   * Whether a clock was set back. Deadlines that were set before the change are too late, so the oracle does not check
   * them.
   */
  readonly clockWasSetBack: () => boolean
}

interface LastCommand {
  readonly process: SimProcess
  readonly command: Command
  readonly outcome: DecisionOutcome<unknown>
}

/** The time that a machine may take after sleep to end processes that it no longer owns. */
const WAKING_MS = 60_000
/** The largest change of the clock that Muster need not notice. */
const UNNOTICED_MS = 6_000
/** The time within which a supervisor must notice that its run is over, before it asks the judge. */
const UNNOTICED_END_MS = 5_000
/** The time after a fault in which a new run may still be affected. */
const AFTER_FAULT_MS = 60_000
/** The time after which a dispatcher that cannot reach the store is no longer active. */
const LEAD_LOST_MS = 20_000
const COUNTED: readonly (string | null)[] = ['crashed', 'timed_out', 'spawn_failed', 'checks_failed']
/** The maximum number of turns without a verdict: the first turn and two reminders. */
const MOST_SILENT_TURNS = 3
/** The maximum number of turns of a run. Each failed try of its checks except the last adds one turn. */
const MOST_TURNS = MOST_SILENT_TURNS + 2
/** The verbs that reset the failure count. */
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
/** The statuses from which a card starts only after a command of a person. */
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

export class Oracle implements CommandObserver {
  readonly faults: string[] = []
  looks = 0
  readonly eventIds: number[] = []
  readonly #events = new Map<string, Set<string>>()
  readonly #context: OracleContext
  #before = EMPTY
  #restoredAt = -1
  #lastCommand: LastCommand | null = null
  #dirty = true

  constructor(context: OracleContext) {
    this.#context = context
  }

  onCommand(process: SimProcess, command: Command, outcome: DecisionOutcome<unknown>): void {
    this.#lastCommand = { process, command, outcome }
    this.#dirty = true
  }

  onRunRead({ role, run: own }: SimProcess, run: Run | null): void {
    if (role !== 'supervisor' || run === null || run.id !== own) return
    this.#context.truth.of(own).knowsEnd = run.endedAt !== null || run.intent !== null
  }

  /**
   * Called when a supervisor asks the judge, which costs money. It must not ask for a run that is over or that a person
   * ends, unless it could not know or could not run meanwhile.
   */
  onQuestion({ name, run, machine }: SimProcess): void {
    const { kernel, truth } = this.#context
    const { knowsEnd, closedAt, stoppedAt, claimedAtTrue } = truth.of(run ?? '')
    if (knowsEnd) this.#addFaults([`${name} asked the judge although it knew that ${run} ends`])
    if (closedAt === null || kernel.now - closedAt <= UNNOTICED_END_MS) return
    // A supervisor whose store was replaced may read the earlier file, in which its run is open.
    if (stoppedAt !== null || isExcused(machine, kernel.now) || claimedAtTrue <= this.#restoredAt) return
    this.#addFaults([`${name} asked the judge ${kernel.now - closedAt} ms after ${run} was over`])
  }

  look(): void {
    this.#addFaults([...this.#twoWorkers(), ...this.#signalledStrangers()])
    if (!this.#dirty) return
    this.looks += 1
    const state = this.#context.memory.state(this.eventIds.at(-1) ?? 0)
    this.#check(state)
    this.#dirty = false
    this.#lastCommand = null
  }

  /** Whether a run was open when the oracle last looked. */
  isOpen(run: string): boolean {
    return this.#before.runs.get(run)?.endedAt === null
  }

  /** Checks the store after a change that no process made. */
  lookAgain(): void {
    this.#dirty = true
    this.#lastCommand = null
    this.look()
  }

  /** Forgets all earlier observations, because a restore replaced the content of the store. */
  onRestore(): void {
    const state = this.#context.memory.state(0)
    this.#restoredAt = this.#context.kernel.now
    this.eventIds.length = 0
    this.#events.clear()
    this.#before = snapshotOf(state)
    this.#lastCommand = null
    this.#check(state)
    this.#dirty = false
  }

  #addFaults(found: readonly string[]): void {
    this.faults.push(...found)
  }

  #check(state: BoardState): void {
    for (const { id, kind, runId } of state.events) {
      this.eventIds.push(id)
      if (runId !== null) this.#eventsOf(runId).add(kind)
    }
    const now = snapshotOf(state)
    this.#addFaults(
      violations(state).filter((fault) => !this.#context.clockWasSetBack() || !fault.includes(' is due ')),
    )
    this.#addFaults(
      state.tasks.flatMap((task) => [
        ...waitFaults(task, now),
        ...sweepFaults(task, now),
        ...(this.#context.clockWasSetBack() ? [] : dueFaults(task, now)),
      ]),
    )
    this.#addFaults(state.runs.flatMap((run) => this.#runFaults(run, now, state.events)))
    if (this.#lastCommand !== null) {
      this.#addFaults(this.#commandFaults(this.#lastCommand, now, state.events))
      this.#addFaults(this.#lateFaults(this.#lastCommand, state.events))
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
        : [`${run.id} changed after it was closed`]
    if (run.endedAt !== null) {
      this.#context.truth.of(run.id).closedAt ??= this.#context.kernel.now
      return this.#endFaults(run, now, events)
    }
    return before === undefined ? this.#startFaults(run, now) : []
  }

  /** Finds faults in the start of a run: a run starts only after its parents are satisfied, and within all caps. */
  #startFaults(run: Run, { tasks, runs, links }: Snapshot): string[] {
    const { caps } = this.#context
    const open = [...runs.values()].filter(({ endedAt, kind }) => endedAt === null && kind === 'agent')
    const used = (of: (other: Run) => boolean): number => open.filter(of).length
    const faults = [...openParents(run.taskId, { tasks, links })].map(
      (parent) => `${run.id} of ${run.taskId} started before ${parent} is done`,
    )
    if (run.phase === 'work') faults.push(...unapprovedStart(run, { tasks, links }))
    if (run.kind !== 'agent') return run.phase === 'check' ? [] : faults
    const known = this.#context.truth.of(run.id)
    known.claimedAt = this.#machineOf(run)?.running() ?? null
    known.claimedAtTrue = this.#context.kernel.now
    const over = (what: string, count: number, limit: number | null): void => {
      if (limit !== null && count > limit) faults.push(`${count} runs at a time ${what} exceed the cap of ${limit}`)
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
    const { turns } = this.#context.truth.of(run.id)
    const goal = run.phase === 'work' ? (now.tasks.get(run.taskId)?.goal ?? null) : null
    if (turns > (goal?.maxTurns ?? MOST_TURNS)) return [`${run.id} had ${turns} turns`]
    return [...this.#aliveFaults(run), ...this.#outcomeFaults(run, now), ...this.#verdictFaults(run, events)]
  }

  /**
   * Finds processes of a closed run. A run is closed only after its processes are gone. A machine that sleeps or has
   * just woken up is exempt from this check.
   */
  #aliveFaults(run: Run): string[] {
    const closer = this.#lastCommand?.process.machine
    return this.#processesOf(run.id)
      .filter(
        ({ machine, role }) =>
          role !== 'supervisor' &&
          role !== 'watchdog' &&
          (machine === closer || !isExcused(machine, this.#context.kernel.now)),
      )
      .map(({ name }) => `${run.id} was closed (${run.outcome}) while ${name} is alive`)
  }

  /** Finds the machine of a run. The boot id distinguishes machines with the same id. */
  #machineOf({ machine, identity, dispatcher }: Run): SimMachine | undefined {
    const { bootId = null } = identity ?? dispatcher ?? {}
    return this.#context.machines.find(
      ({ host, name }) => host.machine.id === machine && (bootId === null || bootId.startsWith(`boot-${name}-`)),
    )
  }

  #processesOf(run: string): SimProcess[] {
    return this.#context.machines.flatMap((machine) =>
      [...machine.processes.values()].filter((one) => one.run === run && one.isAlive),
    )
  }

  /** Returns the workers that are alive although their run is closed. */
  abandoned(): SimProcess[] {
    return this.#context.machines.flatMap(({ processes }) =>
      [...processes.values()].filter(
        ({ role, isAlive, run }) =>
          isAlive && (role === 'worker' || role === 'wrapper') && run !== null && !this.isOpen(run),
      ),
    )
  }

  /** Finds cards with two live workers. A card never has two, not even in two turns of one run. */
  #twoWorkers(): string[] {
    const { kernel, machines, truth } = this.#context
    const living = new Map<string, SimProcess>()
    for (const machine of machines) {
      if (isExcused(machine, kernel.now)) continue
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

  /**
   * Finds signals to strangers. Muster must never signal a process that only has the same pid as an earlier process of
   * Muster.
   */
  #signalledStrangers(): string[] {
    const hit = this.#context.machines.flatMap(({ strangers }) => strangers.filter(({ isAlive }) => !isAlive))
    return hit.map(({ name }) => `${name} was ended, but Muster did not start it`)
  }

  /**
   * Finds outcomes without a cause. A run fails only if its worker failed. It succeeds only if its worker finished or a
   * person completed it.
   */
  #outcomeFaults(run: Run, { tasks }: Snapshot): string[] {
    const known = this.#context.truth.of(run.id)
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
          : fault(`its worker did not fail (${known.ownExit})`)
      case 'protocol_violation':
        // Before this outcome, an agent that can continue is asked for its verdict two more times.
        return known.turns === MOST_SILENT_TURNS ? [] : fault(`it had ${known.turns} turns`)
      case 'rate_limited':
        return known.ownExit === 75 ? [] : fault('its worker reached no limit')
      case 'timed_out':
        return run.maxRuntimeMs !== null && spent >= run.maxRuntimeMs * 0.9
          ? []
          : fault(`it ran for ${Math.round(spent)} ms of ${run.maxRuntimeMs}`)
      case 'checks_failed':
        return known.checkFailed || run.intent !== null ? [] : fault('no check failed')
      case 'spawn_failed':
        if (known.refused) return []
        if (run.registeredAt !== null) return fault('it had started')
        if ((machine?.longestOutage(known.claimedAtTrue) ?? 0) > LEAD_LOST_MS) return fault('the store was unreachable')
        return endedByItself(known.supervisorExit) || missedStart(run, spent)
          ? []
          : fault(`it had ${Math.round(spent)} ms, and its supervisor did not exit`)
      case 'interrupted':
        return known.affected || known.refused || this.#wasAffected(machine, known)
          ? this.#lostExit(run, task)
          : fault('no fault was injected')
      case 'completed':
        if (run.intent !== null) return []
        if (task !== undefined && requiredChecks(task, run).length > 0 && !known.checkPassed)
          return fault('its checks did not pass')
        if (isUnjudged(run, task, known)) return fault(`its judge answered ${known.judged}`)
        return run.phase === 'check' ||
          known.ownExit === 0 ||
          known.said === 'complete' ||
          run.verdict?.kind === 'complete'
          ? []
          : fault(`its worker did not reach its end (${known.ownExit})`)
      case 'review_requested':
        if (run.intent === null && isUnjudged(run, task, known)) return fault(`its judge answered ${known.judged}`)
        return run.verdict !== null || run.intent !== null || known.said !== null ? [] : fault('there was no verdict')
      case 'blocked':
        if (run.goal?.stop != null && run.intent === null) return stopFaults(run, known).flatMap(fault)
        return run.verdict !== null || run.intent !== null || known.said !== null
          ? []
          : fault('there was no such verdict or command')
      case 'changes_requested':
        return run.verdict !== null || run.intent !== null || known.said !== null
          ? []
          : fault('there was no such verdict or command')
      case 'stopped':
      case 'reclaimed':
        return run.intent !== null ? [] : fault('there was no such command')
      default:
        return []
    }
  }

  /**
   * Whether a fault hit the machine shortly before the run started, or later. A clock that was set back affects the
   * whole simulation.
   */
  #wasAffected(machine: SimMachine | undefined, { claimedAtTrue }: RunTruth): boolean {
    if (machine === undefined || machine.asleep || machine.cutOff || this.#context.clockWasSetBack()) return true
    return machine.affectedAt > claimedAtTrue - AFTER_FAULT_MS
  }

  /**
   * Finds runs whose exit code was ignored. A run must not be `interrupted` if its agent ended without a signal and the
   * machine that closes the run can read the exit code.
   */
  #lostExit(run: Run, task: Task | undefined): string[] {
    const { process } = this.#lastCommand ?? {}
    const { ownExit, ended } = this.#context.truth.of(run.id)
    if (process === undefined || ownExit === null || ended || process.machine !== this.#machineOf(run)) return []
    const directory = runDirectoryAt(`${HOME}/runs/${run.id}`)
    const { disk } = process.machine
    const told = (disk.find(directory.exit)?.data.length ?? 0) > 0 && disk.find(directory.cutOff) === null
    const own = run.terminatingReason === null || run.terminatingReason === 'leftovers'
    if (!told || !own || run.verdict !== null || run.intent !== null) return []
    if (task !== undefined && requiredChecks(task, run).length > 0) return []
    // A `coder` that exits with 0 and without a verdict is asked for its verdict, so its run was not over.
    if (ownExit === 0 && run.agent === 'coder') return []
    return [`${run.id} is interrupted, but its worker had exited with ${ownExit} (${run.error ?? ''})`]
  }

  /** Finds lost verdicts. A recorded verdict must take effect or be kept as a late result. */
  #verdictFaults(run: Run, events: readonly BoardEvent[]): string[] {
    const { heard } = this.#context.truth.of(run.id)
    const carriedOut: Readonly<Record<string, string>> = {
      complete: 'completed',
      block: 'blocked',
      'request-review': 'review_requested',
      'request-changes': 'changes_requested',
    }
    if (heard === null || run.outcome === carriedOut[heard]) return []
    const kept = events.some(({ kind, runId }) => kind === 'late_result' && runId === run.id)
    const own = this.#eventsOf(run.id)
    return kept || own.has('verdict_withdrawn') || own.has('goal_judged')
      ? []
      : [`${run.id} is ${run.outcome}, but its acknowledged verdict was ${heard}`]
  }

  /**
   * Finds late writes that were not refused or not kept. A write for an ended run, or with a wrong fence, must be
   * refused, and all of its content must be kept.
   */
  #lateFaults({ command, outcome, process }: LastCommand, events: readonly BoardEvent[]): string[] {
    const { verb, input } = command
    const run = writerOf(command)
    if (run === null || outcome.ok || WITHOUT_CONTENT.includes(verb)) return []
    const isOver = this.#before.runs.get(run)?.endedAt !== null
    if (!isOver && outcome.error.code !== 'run_superseded') return []
    const kept = events.find(
      ({ kind, runId, data }) => kind === 'late_result' && runId === run && data['verb'] === verb,
    )
    if (kept === undefined) return [`${verb} by ${process.name} came late, and its content was not kept`]
    const known = new Set(leavesOf(kept.data['content']))
    return Object.entries(input)
      .filter(([field, value]) => !ADDRESS.includes(field) && leavesOf(value).some((leaf) => !known.has(leaf)))
      .map(([field]) => `${verb} by ${process.name} came late, and its ${field} was not kept`)
  }

  #commandFaults(
    { command, outcome, process }: LastCommand,
    { tasks }: Snapshot,
    events: readonly BoardEvent[],
  ): string[] {
    const faults: string[] = []
    const { verb, actor } = command
    if (process.forged && outcome.ok) faults.push(`${verb} of ${process.name} was accepted with a forged fence`)
    for (const task of tasks.values()) {
      const before = this.#before.tasks.get(task.id)
      if (before === undefined || before === task) continue
      if (
        task.status === 'done' &&
        before.status !== 'done' &&
        before.archivedFrom !== 'done' &&
        !events.some(({ kind, taskId }) => kind === 'completed' && taskId === task.id)
      )
        faults.push(`${task.id} is done without an event for it`)
      const isReset = RESETS.includes(verb) || (before.breakerOpen && !task.breakerOpen)
      if (task.consecutiveFailures < before.consecutiveFailures && !isReset)
        faults.push(`${verb} reset the failures of ${task.id}`)
      if (task.consecutiveFailures > before.consecutiveFailures && !this.#failed(task.id))
        faults.push(`${verb} counts a failure of ${task.id} without a failed run`)
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

  /** Whether the last command closed a run of this card with a counted outcome. */
  #failed(task: string): boolean {
    return [...this.#context.memory.state(Number.MAX_SAFE_INTEGER).runs].some(
      (run) =>
        run.taskId === task &&
        run.endedAt !== null &&
        this.#before.runs.get(run.id)?.endedAt == null &&
        COUNTED.includes(run.outcome),
    )
  }
}

/** A synthesizer starts only if the verifier of its swarm is done, or if a person waived the dependency on it. */
function unapprovedStart(run: Run, { tasks, links }: Pick<Snapshot, 'tasks' | 'links'>): string[] {
  const card = tasks.get(run.taskId)
  if (card?.swarmRole !== 'synthesizer') return []
  const verifier = [...tasks.values()].find(({ swarm, swarmRole }) => swarm === card.swarm && swarmRole === 'verifier')
  const link = links.find(({ parentId, childId }) => parentId === verifier?.id && childId === card.id)
  if ((verifier?.status === 'done' && verifier.deletedAt === null) || link?.waivedBy != null) return []
  return [`${run.id} of ${card.id} started, but its verifier is ${verifier?.status ?? 'gone'}`]
}

/** Whether the work of a card with a goal was finished without the acceptance of its judge. */
const isUnjudged = (run: Run, task: Task | undefined, { judged }: RunTruth): boolean =>
  run.phase === 'work' && task !== undefined && task.goal !== null && judged !== 'done'

/** Reasons why the judge did not answer as the board recorded it. */
function stopFaults({ goal }: Run, { judged }: RunTruth): string[] {
  const kind = goal?.stop?.kind
  const expected = {
    budget: 'continue',
    capability: 'impossible',
    transient: 'unavailable',
    needs_input: 'done',
  } as const
  // Failed checks are a judgement that the judge does not make.
  const byChecks = goal?.judgements.at(-1)?.by === 'checks'
  return kind === undefined || byChecks || judged === expected[kind] ? [] : [`its judge answered ${judged}`]
}

/**
 * Whether the supervisor was stopped after its agent got the signal of a shutdown and before it got its own signal. In
 * this case, the supervisor cannot know that both signals belong to one shutdown. In the simulation, a signal takes up
 * to 3 s to arrive, and the longest grace period is 6 s.
 */
const stoppedInShutdown = ({ shutDownAt, stoppedAt }: RunTruth): boolean =>
  shutDownAt !== null && stoppedAt !== null && stoppedAt >= shutDownAt && stoppedAt <= shutDownAt + 9_000

const endedByItself = (exit: ProcessExit | null): boolean => exit !== null && exit.signal === null

/** Whether the run missed its start deadline. A deadline of 0 does not limit a live supervisor. */
function missedStart({ startDeadlineAt, startedAt }: Run, spentMs: number): boolean {
  const deadlineMs = (startDeadlineAt ?? startedAt) - startedAt
  return deadlineMs > 0 && spentMs >= deadlineMs - UNNOTICED_MS
}

/** The commands without content. Nothing is lost if they are refused. */
const WITHOUT_CONTENT: readonly string[] = ['register', 'terminating', 'next_turn']

/** The fields that name the card and the run, or prove ownership. */
const ADDRESS: readonly string[] = ['task', 'runId', 'fence', 'by']

/** Returns the run that sends a command. Null means that no run sends it. */
function writerOf({ verb, input, actor }: Command): string | null {
  const { fence, runId } = input as { fence?: { runId: string } | null; runId?: string }
  if (fence != null) return fence.runId
  if (verb === 'settle') return runId ?? null
  return 'runId' in actor ? actor.runId : null
}

/** Returns every text, number and `true` in a value. Other values may be defaults. */
function leavesOf(value: unknown): unknown[] {
  if (value === null || value === undefined || value === false || value === '') return []
  if (typeof value === 'object') return Object.values(value).flatMap(leavesOf)
  return [typeof value === 'string' ? value.trim() : value]
}

const attemptOf = ({ run, env }: SimProcess): string => `${run} turn ${env['MUSTER_TURN']}`

/** Whether a machine is excused. A sleeping machine cannot end processes, and needs some time after it wakes. */
const isExcused = ({ asleep, wokeAt }: { asleep: boolean; wokeAt: number }, now: number): boolean =>
  asleep || now - wokeAt < WAKING_MS

function* openParents(child: string, { tasks, links }: Pick<Snapshot, 'tasks' | 'links'>): Generator<string> {
  for (const { parentId, childId, waivedBy } of links) {
    const parent = tasks.get(parentId)
    if (childId !== child || waivedBy !== null || parent === undefined || parent.deletedAt !== null) continue
    if (parent.status !== 'done' && parent.status !== 'archived') yield parentId
  }
}

/** Returns the children that are not finished and may still need the parent's files. */
const unfinishedChildren = (parent: string, { tasks, links }: Pick<Snapshot, 'tasks' | 'links'>): string[] =>
  links.flatMap(({ parentId, childId }) => {
    const child = parentId === parent ? tasks.get(childId) : undefined
    const isOver =
      child === undefined || child.deletedAt !== null || child.status === 'done' || child.status === 'archived'
    return isOver ? [] : [childId]
  })

/** Finds sweeps of needed files. While a sweep runs, no card may need the files that the sweep removes. */
const sweepFaults = ({ id, workspace }: Task, now: Snapshot): string[] =>
  workspace.state === 'sweeping'
    ? unfinishedChildren(id, now).map((child) => `the files of ${id} are being swept, but ${child} may still need them`)
    : []

/** Finds cards with the wrong status: a `todo` card has an open parent, and a `ready` card has none. */
function waitFaults(task: Task, now: Snapshot): string[] {
  if (task.deletedAt !== null) return []
  const waits = [...openParents(task.id, now)].length > 0
  if (task.status === 'todo' && !waits) return [`${task.id} is todo without an open parent`]
  return task.status === 'ready' && waits ? [`${task.id} is ready with an open parent`] : []
}

/** Finds cards whose `dueAt` is later than a deadline, because a dispatcher sleeps until `dueAt`. */
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
  return missed == null ? [] : [`${task.id} is due ${task.dueAt}, after its deadline ${missed}`]
}
