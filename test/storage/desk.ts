/** A test driver for one board: runs verbs by name, creates cards by letter, and makes whole runs in one call. */
import { expect } from 'vitest'
import type { Actor } from '../../src/core/actor.ts'
import type { BoardSettings } from '../../src/core/board.ts'
import { unwrap } from '../../src/core/command.ts'
import type { Command, OutcomeOf } from '../../src/core/command.ts'
import type { ErrorCode } from '../../src/core/errors.ts'
import type { BoardEvent } from '../../src/core/event.ts'
import type { RunId, TaskId } from '../../src/core/ids.ts'
import type { Fence, Run } from '../../src/core/run.ts'
import type { VerbInput, VerbResult, VerbName } from '../../src/core/transitions/index.ts'
import type { Store, TaskView } from '../../src/storage/store.ts'
import { card, clockwork, identity, person, runOf } from '../helpers/sample.ts'
import type { TestStore } from '../helpers/stores.ts'

export type CardFields = Omit<VerbInput<'create'>['cards'][number], 'id' | 'title'> & { readonly title?: string }

export interface Claimed {
  readonly task: TaskId
  readonly runId: RunId
  readonly fence: Fence
}

/** The number of runs claimed by all desks, so that run ids are unique. */
let runs = 0

export class Desk {
  readonly test: TestStore
  readonly store: Store
  readonly board: string

  constructor(test: TestStore, board = 'main', store: Store = test.store) {
    this.test = test
    this.store = store
    this.board = board
  }

  /** Creates a board with these settings and a dispatcher that leads the machine `laptop`. */
  static async open(test: TestStore, settings: Partial<BoardSettings> = {}): Promise<Desk> {
    const desk = new Desk(test)
    await desk.ok('create_board', { slug: desk.board })
    if (Object.keys(settings).length > 0) await desk.ok('set_board', { settings })
    await desk.lead()
    return desk
  }

  /** Returns a driver for the same board through another connection. */
  through(store: Store): Desk {
    return new Desk(this.test, this.board, store)
  }

  do<N extends VerbName>(verb: N, input: VerbInput<N>, actor: Actor = person): Promise<OutcomeOf<N>> {
    const command: Command<N> = { verb, board: this.board, actor, input }
    return this.store.decide(command)
  }

  async ok<N extends VerbName>(verb: N, input: VerbInput<N>, actor?: Actor): Promise<VerbResult<N>> {
    return unwrap(await this.do(verb, input, actor))
  }

  /** Returns the code of a refusal. An accepted command fails the test. */
  async refused<N extends VerbName>(verb: N, input: VerbInput<N>, actor?: Actor): Promise<ErrorCode> {
    const outcome = await this.do(verb, input, actor)
    if (outcome.ok) throw new Error(`${verb} was accepted: ${JSON.stringify(outcome.result)}`)
    return outcome.error.code
  }

  /** Returns the code of a refusal, and expects that no row except events has changed. */
  async refusedQuietly<N extends VerbName>(verb: N, input: VerbInput<N>, actor?: Actor): Promise<ErrorCode> {
    const before = await this.rows()
    const code = await this.refused(verb, input, actor)
    expect(await this.rows()).toEqual(before)
    return code
  }

  /** Returns all rows except events and slots without a pause, which serve only as locks. */
  async rows(): Promise<Record<string, unknown>> {
    const { event: _feed, slot = [], ...rows } = await this.store.exportAll()
    return { ...rows, slot: slot.filter((row) => row.pausedAt !== null) }
  }

  async card(letter: string | number, fields: CardFields = {}): Promise<TaskId> {
    await this.ok('create', { cards: [{ id: card(letter), title: `Card ${letter}`, assignee: 'coder', ...fields }] })
    return card(letter)
  }

  async task(id: TaskId): Promise<TaskView> {
    const task = await this.store.task(this.board, id, { deleted: true })
    if (task === null) throw new Error(`there is no card ${id}`)
    return task
  }

  async status(id: TaskId): Promise<string> {
    return (await this.task(id)).status
  }

  async statuses(...ids: readonly TaskId[]): Promise<string[]> {
    const tasks = await Promise.all(ids.map((id) => this.status(id)))
    return tasks
  }

  events(id: TaskId): Promise<readonly BoardEvent[]> {
    return this.store.taskEvents(this.board, id)
  }

  async kinds(id: TaskId): Promise<string[]> {
    return (await this.events(id)).map((event) => event.kind)
  }

  async lastEvent(id: TaskId): Promise<Pick<BoardEvent, 'kind' | 'runId' | 'data'>> {
    const event = (await this.events(id)).at(-1)
    if (event === undefined) throw new Error(`${id} has no event`)
    return { kind: event.kind, runId: event.runId, data: event.data }
  }

  lead(token = 'lead', leaseMs = 3_600_000, machine = 'laptop'): Promise<OutcomeOf<'lead_dispatch'>> {
    return this.do('lead_dispatch', { machine, tokenHash: token, identity: identity(1, machine), leaseMs }, clockwork)
  }

  claimInput(task: TaskId, over: Partial<VerbInput<'claim'>> = {}): VerbInput<'claim'> {
    runs += 1
    return {
      task,
      runId: runOf(`n${runs}`),
      tokenHash: `token ${runs}`,
      agent: 'coder',
      machine: 'laptop',
      dispatcher: identity(1),
      dispatcherTokenHash: 'lead',
      ...over,
    }
  }

  async claim(task: TaskId, over: Partial<VerbInput<'claim'>> = {}): Promise<Claimed> {
    const input = this.claimInput(task, over)
    const { runId } = await this.ok('claim', input, clockwork)
    return { task, runId, fence: { runId, tokenHash: input.tokenHash } }
  }

  /** Claims and registers a run, as a live supervisor does. */
  async run(task: TaskId, over: Partial<VerbInput<'claim'>> = {}): Promise<Claimed> {
    const claimed = await this.claim(task, over)
    await this.ok('register', { task, fence: claimed.fence, identity: identity(500) }, clockwork)
    return claimed
  }

  verdict({ task, fence }: Claimed, verdict: VerbInput<'verdict'>['verdict']): Promise<OutcomeOf<'verdict'>> {
    return this.do('verdict', { task, fence, verdict }, clockwork)
  }

  /**
   * Returns the input that settles a run under its fence. The run ends with exit code 0, unless `over` has another
   * ending.
   */
  settleInput(claimed: Claimed, over: Partial<VerbInput<'settle'>> = {}): VerbInput<'settle'> {
    const { task, runId, fence } = claimed
    return { task, runId, by: { fence }, ending: { how: 'exited', exitCode: 0 }, ...over }
  }

  settle(claimed: Claimed, over: Partial<VerbInput<'settle'>> = {}): Promise<VerbResult<'settle'>> {
    return this.ok('settle', this.settleInput(claimed, over), clockwork)
  }

  /** Runs a whole attempt that completes the card. */
  async finish(task: TaskId): Promise<void> {
    const claimed = await this.run(task)
    unwrap(await this.verdict(claimed, { kind: 'complete', summary: 'Done.' }))
    await this.settle(claimed)
  }

  async runRow(id: RunId): Promise<Run> {
    const run = await this.store.run(id)
    if (run === null) throw new Error(`there is no run ${id}`)
    return run
  }

  /** Completes a card without a run, as a person. */
  complete(task: TaskId): Promise<VerbResult<'complete'>> {
    return this.ok('complete', { task, runId: runOf(`c${task.slice(-6)}`) })
  }
}
