/** A board on the model store for tests. Its cards have short names. */
import { expect } from 'vitest'
import type { Actor } from '../../src/core/actor.ts'
import type { BoardSettings } from '../../src/core/board.ts'
import type { VerbInput, VerbResult, VerbName } from '../../src/core/transitions/index.ts'
import { unwrap } from '../../src/core/command.ts'
import type { BoardError } from '../../src/core/errors.ts'
import type { BoardEvent, EventKind } from '../../src/core/event.ts'
import type { TaskId } from '../../src/core/ids.ts'
import type { Fence, Run, Verdict } from '../../src/core/run.ts'
import type { Task } from '../../src/core/task.ts'
import { FakeClock } from '../helpers/commands.ts'
import { violations } from '../helpers/invariants.ts'
import { ModelStore } from '../helpers/model-store.ts'
import { DAY, NOON, card, clockwork, identity, person, runOf, worker } from '../helpers/sample.ts'

type CardOptions = Partial<Omit<VerbInput<'create'>['cards'][number], 'id' | 'parents'>> & {
  parents?: string[]
  by?: Actor
}
type ClaimOptions = Partial<Omit<VerbInput<'claim'>, 'task'>>
type SettleInput = VerbInput<'settle'>
type SettleOptions = Partial<SettleInput['ending']> &
  Partial<Omit<SettleInput, 'task' | 'runId' | 'ending'>> & { fence?: Fence }

export class TestBoard {
  readonly clock = new FakeClock(NOON)
  readonly store = new ModelStore(this.clock.now)
  #minted = 0

  constructor(settings: Partial<BoardSettings> = {}) {
    this.do('create_board', { slug: 'main' })
    this.do('set_board', { settings })
    this.lead('laptop')
  }

  get now(): number {
    return this.clock.now()
  }

  advance = (ms: number): void => this.clock.advance(ms)
  mint = (): Fence => {
    this.#minted += 1
    return { runId: runOf(this.#minted), tokenHash: `token-${this.#minted}` }
  }

  /** Runs a command, or throws its refusal. */
  do<N extends VerbName>(verb: N, input: VerbInput<N>, actor: Actor = person, board = 'main'): VerbResult<N> {
    return unwrap<VerbResult<N>>(this.store.decide<N>({ verb, board, actor, input }))
  }

  /** Returns the refusal of a command. Fails if the command is accepted. */
  refused<N extends VerbName>(verb: N, input: VerbInput<N>, actor: Actor = person, board = 'main'): BoardError {
    const outcome = this.store.decide<N>({ verb, board, actor, input })
    if (outcome.ok) return expect.unreachable(`${verb} was accepted`)
    return outcome.error
  }

  lead = (machine: string): void => {
    const input = { machine, tokenHash: `dispatch-${machine}`, identity: identity(1, machine), leaseMs: 3650 * DAY }
    this.do('lead_dispatch', input, clockwork)
  }

  create(name: string, { parents = [], by = person, ...options }: CardOptions = {}): TaskId {
    const one = { id: card(name), title: `Card ${name}`, assignee: 'coder', parents: parents.map(card), ...options }
    this.do('create', { cards: [one] }, by)
    return card(name)
  }

  task(name: string): Task {
    return this.store.task(card(name)) ?? expect.unreachable(`there is no card ${name}`)
  }

  status = (name: string): Task['status'] => this.task(name).status

  run(name: string): Run {
    return this.store.runs(card(name)).at(-1) ?? expect.unreachable(`card ${name} has no run`)
  }

  #events = (name?: string): BoardEvent[] => this.store.events(name === undefined ? undefined : card(name))

  /** Returns the kinds of the events of a card, or of the board, newest last. */
  kinds = (name?: string): EventKind[] => this.#events(name).map((event) => event.kind)
  event(kind: EventKind, name?: string): BoardEvent {
    const found = this.#events(name).findLast((event) => event.kind === kind)
    return found ?? expect.unreachable(`there is no ${kind} event`)
  }

  claimInput(name: string, options: ClaimOptions = {}): VerbInput<'claim'> {
    const machine = options.machine ?? 'laptop'
    return {
      task: card(name),
      ...this.mint(),
      agent: 'coder',
      machine,
      dispatcher: identity(1, machine),
      dispatcherTokenHash: `dispatch-${machine}`,
      ...options,
    }
  }

  claim(name: string, options: ClaimOptions = {}): Fence {
    const input = this.claimInput(name, options)
    this.do('claim', input, clockwork)
    return { runId: input.runId, tokenHash: input.tokenHash }
  }

  register = (name: string, fence: Fence): void => {
    this.do('register', { task: card(name), fence, identity: identity() }, clockwork)
  }

  giveVerdict = (name: string, fence: Fence, verdict: Verdict): VerbResult<'verdict'> =>
    this.do('verdict', { task: card(name), fence, verdict }, this.workerOf(name, fence))

  /** Creates a card with this name and claims the card. Returns the worker of the run. */
  startWorker(name: string): Actor {
    this.create(name)
    return this.workerOf(name, this.claim(name, { runId: runOf(name) }))
  }

  workerOf = (name: string, fence: Fence): Actor => worker(card(name), fence.runId)

  settleInput(
    name: string,
    { fence, by, verdict, completesOnExit, lastOutput, attachments, usage, account, ...ending }: SettleOptions = {},
  ): SettleInput {
    const open = this.store.openRun(card(name))
    const own = fence ?? { runId: open?.id ?? runOf('none'), tokenHash: open?.tokenHash ?? 'none' }
    return {
      task: card(name),
      runId: own.runId,
      by: by ?? { fence: own },
      ending: { how: 'exited', exitCode: 0, ...ending },
      ...(verdict === undefined ? {} : { verdict }),
      ...(completesOnExit === undefined ? {} : { completesOnExit }),
      ...(lastOutput === undefined ? {} : { lastOutput }),
      ...(attachments === undefined ? {} : { attachments }),
      ...(usage === undefined ? {} : { usage }),
      ...(account === undefined ? {} : { account }),
    }
  }

  /** Ends the open run of a card. */
  settle = (name: string, options: SettleOptions = {}): VerbResult<'settle'> =>
    this.do('settle', this.settleInput(name, options), clockwork)

  /** Makes a whole attempt: waits for every delay, claims the card and settles the run with the given options. */
  attempt(name: string, options: SettleOptions & { claim?: ClaimOptions } = {}): VerbResult<'settle'> {
    const { claim: claimed, ...ending } = options
    const { cooldownUntil, guardUntil } = this.task(name)
    this.advance(Math.max(0, (cooldownUntil ?? 0) - this.now, (guardUntil ?? 0) - this.now))
    this.claim(name, claimed)
    return this.settle(name, ending)
  }

  complete = (name: string, extra: Partial<VerbInput<'complete'>> = {}): VerbResult<'complete'> =>
    this.do('complete', { task: card(name), runId: this.mint().runId, ...extra })

  block = (name: string, extra: Partial<VerbInput<'block'>> = {}, actor: Actor = person): VerbResult<'block'> =>
    this.do('block', { task: card(name), runId: this.mint().runId, reason: 'stuck', ...extra }, actor)

  unblock = (name: string): VerbResult<'unblock'> => this.do('unblock', { task: card(name) })

  /** Expects that every data invariant holds. */
  check = (): void => {
    expect(violations({ ...this.store.state(), now: this.now })).toEqual([])
  }
}

export const complete = (extra: Partial<Extract<Verdict, { kind: 'complete' }>> = {}): Verdict => ({
  kind: 'complete',
  summary: 'did it',
  metadata: null,
  result: null,
  artifacts: [],
  createdCards: [],
  ...extra,
})

export const blocked = (extra: Partial<Extract<Verdict, { kind: 'block' }>> = {}): Verdict => ({
  kind: 'block',
  summary: null,
  metadata: null,
  reason: 'which colour?',
  blockKind: 'needs_input',
  ...extra,
})

export const reviewAsked = (reviewer: string | null = null): Verdict => ({
  kind: 'request_review',
  summary: 'please look',
  metadata: null,
  reviewer,
})

export const changesAsked = (reason = 'tests are missing'): Verdict => ({
  kind: 'request_changes',
  summary: null,
  metadata: null,
  reason,
})
