/**
 * Scripts for the property tests. The steps of a script refer to cards, machines and the current run by index. When a
 * step runs, it becomes a command that uses the answers to earlier steps. So one script runs on the model and on both
 * engines, shrinks by removing steps, and prints as one line per step.
 */
import type { Actor } from '../../src/core/actor.ts'
import type { Command, DecisionOutcome } from '../../src/core/command.ts'
import type { RunId, TaskId } from '../../src/core/ids.ts'
import type { Fence, Verdict } from '../../src/core/run.ts'
import type { ENDINGS } from '../../src/core/transitions/settlement/input.ts'
import type { Series } from '../../src/core/series.ts'
import type { VerbInput, VerbName } from '../../src/core/transitions/index.ts'
import type { ASKED_BLOCK_KINDS, JudgeAnswer, Status } from '../../src/core/vocabulary.ts'
import {
  DAY,
  HOUR,
  MINUTE,
  SECOND,
  attachmentOf,
  card,
  commentOf,
  identity,
  runOf,
  seriesOf,
  tokenOf,
} from './sample.ts'
import { shownCommands } from './shown-commands.ts'

const BOARDS = ['main', 'side'] as const
export const AGENTS = ['coder', 'tester', 'critic'] as const
export const MACHINES = ['laptop', 'server'] as const
export const ACCOUNTS = ['acme', 'umbrella'] as const

export const WHO = ['person', 'orchestrator', 'board', 'worker', 'former_worker'] as const
export type Who = (typeof WHO)[number]

/** The indexes of the cards of the only swarm of a script. */
export const SWARM = { root: 20, workers: [21, 22], verifier: 23, synthesizer: 24 } as const

export const FENCES = ['current', 'former', 'forged'] as const
export type FenceOf = (typeof FENCES)[number]

/** One step of a script. The verb decides which of the details are used. */
export interface Step {
  readonly verb: VerbName
  /** The milliseconds that pass before the step. */
  readonly after: number
  readonly by: Who
  readonly card: number
  /** The card whose worker acts, if it is not the card of this step. */
  readonly from?: number
  /** Whether the command goes to the wrong board. */
  readonly elsewhere?: boolean
  readonly board?: number
  readonly other?: number
  readonly parents?: readonly number[]
  readonly children?: readonly number[]
  readonly agent?: string | null
  readonly machine?: string
  readonly account?: string | null
  readonly fence?: FenceOf
  readonly word?: Verdict['kind']
  readonly how?: (typeof ENDINGS)[number]
  readonly exitCode?: number | null
  readonly kind?: (typeof ASKED_BLOCK_KINDS)[number]
  readonly cause?: 'quota' | 'auth' | 'person'
  readonly slot?: 'machine' | 'board' | 'agent'
  readonly text?: string | null
  readonly amount?: number | null
  readonly field?: 'title' | 'body' | 'priority' | 'checks' | 'maxRetries' | 'goal'
  readonly key?: string | null
  /** The boolean input of the verb. Its meaning depends on the verb, for example `force` or `passed`. */
  readonly flag?: boolean
  readonly checks?: boolean
  /** Whether the card has a goal of two turns. */
  readonly goal?: boolean
  readonly answer?: JudgeAnswer
  /** The status that an update requests. */
  readonly status?: Status | undefined
  readonly born?: 'ready' | 'triage' | 'blocked' | 'held' | 'scheduled'
  readonly directory?: boolean
  /** The branch of a card that works in a worktree of one repository. Undefined if the card has no worktree. */
  readonly worktree?: 'own branch' | 'shared branch'
  /** Whether several machines share the store, so that files belong to the machine of their run. */
  readonly bound?: boolean
  readonly settings?: Readonly<Record<string, number | boolean | string | null>>
}

export interface Clock {
  now(): number
  advance(ms: number): void
}

export class FakeClock implements Clock {
  #now: number
  constructor(start: number) {
    this.#now = start
  }
  now = (): number => this.#now
  advance = (ms: number): void => {
    this.#now += ms
  }
}

export interface Trace {
  readonly step: Step
  readonly command: Command
  readonly outcome: DecisionOutcome<unknown>
}

type Decide = (command: Command) => DecisionOutcome<unknown> | Promise<DecisionOutcome<unknown>>

/** Runs a script. `onStep` is called after every step. */
export async function runScript(
  script: readonly Step[],
  decide: Decide,
  clock: Clock,
  onStep: (trace: Trace) => void | Promise<void> = () => {},
): Promise<Trace[]> {
  const runner = new ScriptRunner(clock)
  const traces: Trace[] = []
  for (const step of script) {
    clock.advance(step.after)
    const command = runner.command(step)
    const outcome = await decide(command)
    runner.learn(step, outcome)
    const trace = { step, command, outcome }
    traces.push(trace)
    await onStep(trace)
  }
  return traces
}

interface KnownRun extends Fence {
  readonly machine: string
}

/** The state that later steps need: the boards, runs, parents and attachments of the cards, and the minted ids. */
class ScriptRunner {
  readonly clock: Clock
  readonly #homes = new Map<number, number>()
  readonly #runs = new Map<number, KnownRun[]>()
  readonly #parents = new Map<number, Set<TaskId>>()
  readonly #attachments = new Map<number, number>()
  readonly #nextTimes = new Map<number, number | null>()
  #minted = 0

  constructor(clock: Clock) {
    this.clock = clock
  }

  command(step: Step): Command {
    this.#minted += 1
    const input = (INPUTS[step.verb] as (step: Step, runner: ScriptRunner) => VerbInput<VerbName>)(step, this)
    return { verb: step.verb, board: this.#boardFor(step), actor: this.#actor(step), input }
  }

  get minted(): number {
    return this.#minted
  }

  /** The run id and the token that a step would create. */
  get mintedRun(): Fence {
    return { runId: runOf(this.#minted), tokenHash: `token-${this.#minted}` }
  }

  learn(step: Step, outcome: DecisionOutcome<unknown>): void {
    if (!outcome.ok) return
    const result = outcome.result as { created?: boolean; runId?: RunId | null; pending?: boolean; linked?: boolean }
    const born = [step.card, ...(isTournament(step) ? ENTRIES : (step.children ?? []))]
    if (step.verb === 'create' && result.created) this.#settleIn(born, step.board ?? 0)
    if (step.verb === 'create_swarm' && result.created) this.#settleIn(Object.values(SWARM).flat(), step.board ?? 0)
    if (step.verb === 'decompose') this.#settleIn(step.children ?? [], this.home(step.card))
    if (step.verb === 'create' || step.verb === 'link' || step.verb === 'decompose') this.#learnParents(step)
    if (step.verb === 'comment') this.#learnMentioned(step, outcome.result as { readonly created: readonly TaskId[] })
    if (step.verb === 'attach') this.#attachments.set(step.card, this.#minted)
    if (step.verb.includes('series')) this.#learnSeries(step, outcome.result)
    if (result.runId === this.mintedRun.runId) this.#learnRun(step)
  }

  #learnMentioned(step: Step, { created }: { readonly created: readonly TaskId[] }): void {
    const made = (step.children ?? []).filter((index) => created.includes(card(index)))
    this.#settleIn(made, this.home(step.card))
    for (const index of made) this.#parents.set(index, new Set([card(step.card)]))
  }

  #settleIn(cards: readonly number[], board: number): void {
    for (const index of cards) this.#homes.set(index, board)
  }

  #learnSeries(step: Step, result: unknown): void {
    const { series = result } = result as { readonly series?: unknown }
    this.#nextTimes.set(step.card, (series as Series).nextAt)
  }

  #learnParents(step: Step): void {
    const parents = [...(step.parents ?? []), ...(step.verb === 'link' ? [step.other ?? 0] : [])]
    const known = this.#parents.get(step.card) ?? new Set()
    const waitsFor = step.verb === 'decompose' ? (step.children ?? []) : parents
    for (const index of isTournament(step) ? entriesOf(step) : waitsFor) known.add(card(index))
    this.#parents.set(step.card, known)
  }

  #learnRun(step: Step): void {
    const opens =
      ['claim', 'claim_manual', 'complete', 'approve'].includes(step.verb) ||
      (step.verb === 'update' && step.status === 'done')
    if (opens)
      this.#runs.set(step.card, [...(this.#runs.get(step.card) ?? []), { ...this.mintedRun, machine: machineOf(step) }])
  }

  home = (index: number): number => this.#homes.get(index) ?? 0

  parentsOf = (index: number): TaskId[] => [...(this.#parents.get(index) ?? [])]

  /** The next time of a series, as the caller last read it. */
  nextTime = (index: number): number | null => this.#nextTimes.get(index) ?? null

  lastAttachment = (index: number): number => this.#attachments.get(index) ?? 0

  run(index: number, which: FenceOf = 'current'): KnownRun {
    const runs = this.#runs.get(index) ?? []
    const nobody = { runId: runOf('nobody'), tokenHash: 'nobody', machine: MACHINES[0] }
    if (which === 'former') return runs.at(-2) ?? nobody
    const current = runs.at(-1) ?? nobody
    return which === 'forged' ? { ...current, tokenHash: 'forged' } : current
  }

  fence({ card: index, fence }: Step): Fence {
    const { runId, tokenHash } = this.run(index, fence)
    return { runId, tokenHash }
  }

  #boardFor({ verb, card: index, board, elsewhere }: Step): string {
    const at = CARDLESS.includes(verb) ? (board ?? 0) : this.home(index)
    return BOARDS[elsewhere ? 1 - at : at] ?? BOARDS[0]
  }

  #actor({ by, card: index, from = index }: Step): Actor {
    switch (by) {
      case 'person':
        return { kind: 'person', name: 'ada' }
      case 'orchestrator':
        return { kind: 'orchestrator', name: 'planner', taskId: null, runId: null }
      case 'board':
        return { kind: 'board', name: 'dispatcher' }
      case 'worker':
      case 'former_worker': {
        const { runId } = this.run(from, by === 'worker' ? 'current' : 'former')
        return { kind: 'worker', name: AGENTS[0], taskId: card(from), runId }
      }
    }
  }
}

/** The verbs that are not about a card. Their command goes to the board of the step. */
const CARDLESS: readonly VerbName[] = [
  'create',
  'create_swarm',
  'create_board',
  'set_board',
  'delete_board',
  'pause',
  'resume',
  'pause_account',
  'resume_account',
  'lead_dispatch',
  'leave_dispatch',
  'add_series',
  'edit_series',
  'pause_series',
  'resume_series',
  'remove_series',
  'run_series',
  'run_series_now',
]

/**
 * The branch of a card. The shared branch of cards that are created later is not the shared branch of the first cards.
 */
const branchOf = (index: number): string => (index > 5 ? 'later' : `work-${index % 2}`)

const machineOf = (step: Step): string => step.machine ?? MACHINES[0]
const boardName = (step: Step): string => BOARDS[step.board ?? 0] ?? BOARDS[0]

const viewName = (step: Step): string => `View ${step.card}`
const pidOf = (machine: string): number => 1 + MACHINES.indexOf(machine as (typeof MACHINES)[number])
const dispatcherToken = (machine: string, rival = false): string => `dispatch-${machine}${rival ? '-rival' : ''}`
const placeName = (step: Step): string =>
  step.slot === 'machine' ? machineOf(step) : step.slot === 'agent' ? (step.agent ?? AGENTS[0]) : boardName(step)

function placeOf({ directory, worktree }: Step, index: number) {
  if (directory) return { workspace: { kind: 'dir' as const, path: '/srv/shared', repo: null } }
  if (worktree === undefined) return {}
  const workspace = { kind: 'worktree' as const, path: null, repo: '/srv/repo' }
  const isShared = worktree === 'shared branch'
  return { workspace, branch: isShared ? branchOf(index) : null, base: isShared ? null : 'origin/main' }
}

const cardInput = (step: Step, index: number, parents: readonly number[], now: number) => ({
  id: card(index),
  title: `Card ${index}`,
  assignee: step.agent ?? null,
  parents: parents.filter((parent) => parent !== index).map(card),
  ...(step.amount == null ? {} : { priority: step.amount }),
  checks: step.checks ? ['npm test'] : [],
  goal: step.goal ? { maxTurns: 2 } : null,
  ...placeOf(step, index),
  triage: step.born === 'triage',
  blocked: step.born === 'blocked',
  held: step.born === 'held',
  scheduledAt: step.born === 'scheduled' ? now + HOUR : null,
})

/** A batch in which each card waits for the card before it. */
const chain = (step: Step, first: readonly number[], indexes: readonly number[], now: number) =>
  indexes.map((index, at) => cardInput(step, index, at === 0 ? first : [indexes[at - 1] ?? index], now))

function verdictOf(step: Step): Verdict {
  const handOff = { summary: step.text ?? null, metadata: null }
  switch (step.word ?? 'complete') {
    case 'complete':
      return {
        kind: 'complete',
        ...handOff,
        result: null,
        artifacts: [],
        createdCards: (step.children ?? []).map(card),
      }
    case 'block':
      return { kind: 'block', ...handOff, reason: 'stuck', blockKind: step.kind ?? 'needs_input' }
    case 'request_review':
      return { kind: 'request_review', ...handOff, reviewer: step.agent ?? null }
    case 'request_changes':
      return {
        kind: 'request_changes',
        ...handOff,
        reason: 'not yet',
        ...(step.children === undefined || step.children.length === 0 ? {} : { workers: step.children.map(card) }),
      }
  }
}

const editOf = (step: Step) => {
  switch (step.field ?? 'title') {
    case 'title':
      return { title: `Card ${step.card}, edited` }
    case 'body':
      return { body: step.text ?? 'more to do' }
    case 'priority':
      return { priority: step.amount ?? 0 }
    case 'checks':
      return { checks: step.checks ? ['npm test'] : [] }
    case 'goal':
      return { goal: step.amount == null ? null : { maxTurns: step.amount } }
    case 'maxRetries':
      return { maxRetries: step.amount == null ? null : Math.max(1, Math.abs(step.amount)) }
  }
}

const statusOf = (status: Status, step: Step, runner: ScriptRunner) => ({
  status,
  reason: step.key ?? null,
  blockKind: step.kind ?? 'needs_input',
  scheduledAt: step.amount == null ? null : runner.clock.now() + HOUR,
  runId: runner.mintedRun.runId,
  commentId: commentOf(runner.minted),
  checker: { tokenHash: runner.mintedRun.tokenHash, machine: machineOf(step) },
})

const spoken = (step: Step, runner: ScriptRunner) => ({
  task: card(step.card),
  runId: runner.mintedRun.runId,
  summary: step.text ?? null,
  force: step.flag ? 'it is fine' : null,
  createdCards: (step.children ?? []).map(card),
  checker: { tokenHash: runner.mintedRun.tokenHash, machine: machineOf(step) },
})

const about = (step: Step) => ({ task: card(step.card) })

const withAnswer = (step: Step, runner: ScriptRunner) => ({
  task: card(step.card),
  answer: step.text == null ? null : { id: commentOf(runner.minted), text: step.text },
})

const withReason = (step: Step) => ({ task: card(step.card), reason: step.text ?? null })
const said = (step: Step, runner: ScriptRunner) => ({
  task: card(step.card),
  runId: runner.mintedRun.runId,
  reason: 'stuck',
})
const agentAt = (index: number): string => AGENTS[index % AGENTS.length] ?? 'coder'
const edge = (step: Step) => ({ parent: card(step.other ?? 0), child: card(step.card) })
const owned = (step: Step, runner: ScriptRunner) => ({ task: card(step.card), fence: runner.fence(step) })

/** A tournament with two entries. Some of them are refused, because a card exists or waits for itself. */
function tournamentOf(step: Step, runner: ScriptRunner): VerbInput<'create'> {
  const now = runner.clock.now()
  const entries = entriesOf(step)
  const one = (index: number, parents: readonly number[]) => ({
    ...cardInput({ ...step, born: 'ready', directory: false }, index, parents, now),
    goal: null,
    workspace: { kind: 'scratch' as const, path: null, repo: null },
    branch: null,
    base: null,
  })
  return {
    tournament: { picker: step.checks === true ? 'judge' : 'person' },
    cards: [
      { ...one(step.card, entries), checks: [], assignee: null, idempotencyKey: step.key ?? null },
      ...entries.map((index) => one(index, step.parents ?? [])),
    ],
  }
}

/** The cards that a script may create as entries. */
const ENTRIES = [6, 7, 8]
const isTournament = ({ verb, flag }: Step): boolean => verb === 'create' && flag === true
const entriesOf = (step: Step): readonly number[] => ENTRIES.filter((index) => index !== step.card)

/** The input of each verb for a step. */
const INPUTS: { readonly [N in VerbName]: (step: Step, runner: ScriptRunner) => VerbInput<N> } = {
  create: (step, runner) => {
    if (isTournament(step)) return tournamentOf(step, runner)
    const indexes = [...new Set([step.card, ...(step.children ?? [])])]
    const cards = chain(step, step.parents ?? [], indexes, runner.clock.now())
    return { cards: cards.map((one, at) => (at === 0 ? { ...one, idempotencyKey: step.key ?? null } : one)) }
  },
  create_swarm: (step, runner) => {
    const of = (index: number) => ({
      id: card(index),
      title: `Card ${index}`,
      assignee: AGENTS[0],
      ...(step.amount == null ? {} : { maxRetries: Math.max(1, step.amount) }),
    })
    return {
      root: { id: card(SWARM.root), title: 'Swarm', body: `goal ${runner.minted}`, idempotencyKey: step.key ?? null },
      workers: SWARM.workers.map(of),
      verifier: of(SWARM.verifier),
      synthesizer: of(SWARM.synthesizer),
    }
  },
  write_blackboard: (step) => ({
    root: card(step.other ?? SWARM.root),
    key: step.key ?? 'note',
    value: step.flag ? null : (step.text ?? 'a word'),
  }),
  create_board: (step) => ({ slug: boardName(step) }),
  set_board: (step) => ({
    archived: step.flag ?? false,
    settings: step.settings ?? {},
  }),
  delete_board: () => ({}),
  specify: (step) => ({ task: card(step.card), ...(step.agent ? { assignee: step.agent } : {}) }),
  decompose: (step, runner) => {
    const indexes = [...new Set(step.children ?? [])].filter((index) => index !== step.card)
    const cards = chain(step, step.parents ?? [], indexes, runner.clock.now())
    return { task: card(step.card), cards, rootParents: runner.parentsOf(step.card) }
  },
  begin_plan: (step) => ({ task: card(step.card) }),
  fail_plan: (step) => ({ task: card(step.card), attempt: step.amount ?? 1, reason: 'no answer' }),
  pick: (step, runner) => {
    const entries = runner.parentsOf(step.card)
    const entry = entries[(step.amount ?? 0) % Math.max(1, entries.length)] ?? card(0)
    return { task: card(step.card), entry, entries, runId: runner.mintedRun.runId, reason: step.text ?? null }
  },
  begin_pick: (step, runner) => {
    const entries = runner.parentsOf(step.card)
    return { task: card(step.card), entries, order: step.flag ? entries : entries.slice(1) }
  },
  renew_pick: (step) => ({
    task: card(step.card),
    attempt: step.amount ?? 1,
    releaseMs: (step.flag ?? true) ? null : 1_000,
  }),
  fail_pick: (step) => ({
    task: card(step.card),
    attempt: step.amount ?? 1,
    reason: 'no answer',
    mayRecover: step.flag ?? true,
  }),
  follow_tournament: (step, runner) => ({
    task: card(step.card),
    entries: runner.parentsOf(step.card),
    runId: runner.mintedRun.runId,
  }),
  assign: (step) => ({ task: card(step.card), assignee: step.agent ?? null }),
  edit: (step) => ({ task: card(step.card), set: editOf(step), resetFailures: step.flag ?? false }),
  update: (step, runner) => ({
    task: card(step.card),
    set: step.field === undefined ? {} : editOf(step),
    ...(step.agent === undefined ? {} : { assignee: step.agent }),
    handOff: step.text == null ? null : { summary: step.text },
    clearClaim: step.flag ?? false,
    to: step.status === undefined ? null : statusOf(step.status, step, runner),
  }),
  land: (step) => ({
    task: card(step.card),
    commit: 'c0ffee',
    tip: step.text ?? 'beef',
    into: 'main',
    strategy: 'squash',
  }),
  amend: (step) => ({ task: card(step.card), result: step.text ?? null }),
  approve_commands: (step, runner) => ({
    task: card(step.card),
    shown: shownCommands({ checks: step.flag ? ['npm test'] : [], assignee: step.agent ?? null }),
    hash: `seen by ${runner.minted}`,
    asScript: step.flag === true,
  }),
  link: edge,
  unlink: edge,
  comment: (step, runner) => ({
    task: card(step.card),
    id: commentOf(runner.minted),
    body: step.text ?? 'hm',
    mentions: (step.children ?? []).map((index) => ({ agent: agentAt(index), card: card(index) })),
  }),
  attach: (step, runner) => ({
    id: attachmentOf(runner.minted),
    taskId: card(step.card),
    filename: 'notes.md',
    storedPath: `${step.card}/notes.md`,
    contentType: null,
    size: 10,
    sha256: null,
  }),
  detach: (step, runner) => ({ task: card(step.card), id: attachmentOf(runner.lastAttachment(step.card)) }),
  claim: (step, runner) => ({
    task: card(step.card),
    ...runner.mintedRun,
    agent: step.agent ?? AGENTS[0],
    account: step.account ?? null,
    machine: machineOf(step),
    dispatcher: identity(pidOf(machineOf(step)), machineOf(step)),
    dispatcherTokenHash: dispatcherToken(machineOf(step), step.flag),
    caps: { machine: 2, agent: step.amount ?? null, account: 2 },
    pinned: true,
    // The last agent runs card bodies as scripts. Its list of trusted authors is empty.
    trusted: step.agent === AGENTS.at(-1) ? [] : null,
  }),
  claim_manual: (step, runner) => ({ task: card(step.card), runId: runner.mintedRun.runId }),
  register: (step, runner) => ({
    ...owned(step, runner),
    identity: identity(50 + (step.flag ? 1 : 0), machineOf(step)),
    host: step.bound ? machineOf(step) : null,
  }),
  explain_scratch: (step) => ({ task: card(step.card), install: `home on ${step.machine ?? 'here'}` }),
  hide_from_inbox: (step) => ({
    item: step.flag
      ? { kind: 'account' as const, name: step.account ?? ACCOUNTS[0] }
      : { kind: 'card' as const, id: card(step.card) },
  }),
  show_in_inbox: (step) => ({
    item: step.flag
      ? { kind: 'account' as const, name: step.account ?? ACCOUNTS[0] }
      : { kind: 'card' as const, id: card(step.card) },
  }),
  create_token: (step) => ({
    id: tokenOf(step.card),
    kind: 'token' as const,
    name: 'robot',
    scope: 'operate' as const,
    // The hash belongs to the card number, so that a script can create a token and revoke it later.
    hash: String(step.card).padStart(64, '0'),
    expiresAt: step.amount ?? null,
  }),
  revoke_token: (step) => ({ id: tokenOf(step.card), name: 'robot' }),
  use_token: (step) => ({ id: tokenOf(step.card) }),
  save_view: (step) => ({ name: viewName(step), board: boardName(step), query: `label=${step.card}` }),
  rename_view: (step) => ({ name: viewName(step), to: `View ${step.card + 1}` }),
  delete_view: (step) => ({ name: viewName(step) }),
  add_series: (step) => ({
    id: seriesOf(step.card),
    schedule: step.flag ? 'every 1m' : 'weekdays 12:01, 12:30',
    timeZone: 'Europe/Berlin',
    card: { title: `Series ${step.card}`, assignee: step.agent ?? null },
    skipIfRunning: step.flag ?? false,
  }),
  edit_series: (step) => ({
    id: seriesOf(step.card),
    skipIfRunning: step.flag ?? false,
    ...(step.amount == null ? {} : { schedule: `every ${step.amount}m` }),
  }),
  pause_series: (step) => ({ id: seriesOf(step.card) }),
  resume_series: (step) => ({ id: seriesOf(step.card) }),
  remove_series: (step) => ({ id: seriesOf(step.card) }),
  run_series: (step, runner) => ({
    id: seriesOf(step.card),
    slot: runner.nextTime(step.card),
    task: card(`s${runner.minted}`),
  }),
  run_series_now: (step, runner) => ({ id: seriesOf(step.card), task: card(`s${runner.minted}`) }),
  next_turn: (step, runner) => ({
    ...owned(step, runner),
    turn: 2,
    cause: step.flag ? 'checks_failed' : 'no_verdict',
    left: 1,
  }),
  note_worktree: (step, runner) => ({
    ...owned(step, runner),
    path: `/w/${card(step.card)}`,
    branch: branchOf(step.card),
    base: 'c0ffee',
    baseBranch: 'main',
  }),
  heartbeat: (step, runner) => ({
    task: card(step.card),
    fence: step.flag ? null : runner.fence(step),
    note: step.text ?? null,
  }),
  verdict: (step, runner) => ({ ...owned(step, runner), verdict: verdictOf(step) }),
  checks: (step, runner) => ({ ...owned(step, runner), passed: step.flag ?? true, contentHash: step.key ?? null }),
  judge: (step, runner) => ({
    ...owned(step, runner),
    answer: step.answer ?? 'done',
    by: 'model',
    reason: 'the judge says so',
    missing: ['the rest'],
    canContinue: step.key == null,
  }),
  terminating: (step, runner) => ({ ...owned(step, runner), reason: 'asked to' }),
  record_late_write: (step, runner) => ({
    task: card(step.card),
    runId: runner.fence(step).runId,
    verb: 'comment',
    content: { body: step.text ?? 'late' },
  }),
  overreach: (step, runner) => ({
    ...owned(step, runner),
    asked: 'unblock',
    target: null,
    reason: 'not its own',
    times: 1,
  }),
  settle: (step, runner) => ({
    task: card(step.card),
    runId: runner.run(step.card, step.fence).runId,
    by: step.flag
      ? { machine: machineOf(step), dispatcherTokenHash: dispatcherToken(machineOf(step)) }
      : { fence: runner.fence(step) },
    ending: { how: step.how ?? 'exited', exitCode: step.exitCode ?? null, error: step.text ?? null },
    verdict: step.word === undefined ? null : verdictOf(step),
    completesOnExit: step.checks ?? false,
    account: step.account ?? null,
    // A dispatcher that restores a store does not read the workers.
    workers:
      step.card === SWARM.verifier && step.bound !== false
        ? SWARM.workers.map((index) => ({ task: card(index), comment: commentOf(`${runner.minted}w${index}`) }))
        : [],
  }),
  complete: spoken,
  approve: spoken,
  block: (step, runner) => ({ ...said(step, runner), kind: step.kind ?? 'needs_input' }),
  unblock: (step, runner) => ({ ...withAnswer(step, runner), reset: step.flag ?? false }),
  request_review: (step, runner) => ({
    task: card(step.card),
    runId: runner.mintedRun.runId,
    summary: step.text ?? null,
    reviewer: step.agent ?? null,
  }),
  request_changes: said,
  reopen: withAnswer,
  schedule: (step, runner) => ({
    task: card(step.card),
    at: step.amount == null ? null : runner.clock.now() + step.amount,
  }),
  wake: about,
  promote: (step, runner) => ({ ...withAnswer(step, runner), force: step.flag ?? false }),
  hold: withReason,
  release: about,
  reorder: (step) => ({
    task: card(step.card),
    anchor: step.from === undefined ? null : card(step.from),
    side: step.flag ? 'above' : 'below',
  }),
  archive: withReason,
  unarchive: withReason,
  delete: withReason,
  undelete: withReason,
  purge: about,
  sweep: (step) => ({ task: card(step.card), stage: step.flag ? 'end' : 'begin' }),
  reclaim: (step) => ({ task: card(step.card), assignee: step.agent ?? null }),
  stop: withReason,
  pause: (step) => ({ kind: step.slot ?? 'board', name: placeName(step) }),
  resume: (step) => ({ kind: step.slot ?? 'board', name: placeName(step) }),
  pause_account: (step, runner) => ({
    account: step.account ?? ACCOUNTS[0],
    cause: step.cause ?? 'quota',
    until: step.amount == null ? null : runner.clock.now() + step.amount,
  }),
  resume_account: (step) => ({ account: step.account ?? ACCOUNTS[0], probeRunId: step.flag ? runOf('probe') : null }),
  pause_burst: (step, runner) => ({
    agent: step.agent ?? AGENTS[0],
    machine: machineOf(step),
    dispatcherTokenHash: dispatcherToken(machineOf(step), step.flag),
    reason: 'they crashed in the same way',
    crashes: [{ task: card(step.card), runId: runner.run(step.card).runId, startedAt: runner.clock.now() }],
  }),
  lead_dispatch: (step) => ({
    machine: machineOf(step),
    tokenHash: dispatcherToken(machineOf(step), step.flag),
    identity: identity(pidOf(machineOf(step)), machineOf(step)),
    leaseMs: step.amount ?? 365 * DAY,
  }),
  leave_dispatch: (step) => ({ machine: machineOf(step), tokenHash: dispatcherToken(machineOf(step), step.flag) }),
}

// How a step prints

function duration(ms: number): string {
  if (ms >= HOUR) return `+${ms / HOUR}h`
  if (ms >= MINUTE) return `+${ms / MINUTE}min`
  return ms >= SECOND ? `+${ms / SECOND}s` : `+${ms}ms`
}

export function printStep({ verb, after, by, card: index, ...details }: Step): string {
  const printed = Object.entries(details)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  const place = CARDLESS.includes(verb) && verb !== 'create' ? '' : ` card ${index}`
  return `${duration(after).padStart(7)}  ${by}: ${verb}${place}${printed.length > 0 ? `  ${printed.join(' ')}` : ''}`
}

export const printScript = (script: readonly Step[]): string => script.map(printStep).join('\n')
