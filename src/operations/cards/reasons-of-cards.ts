/**
 * The reasons why the cards of a list wait. The facts are read once for all cards, so that a large board does not make
 * a list slow. Some reasons depend on the folder, the branch or the skills of a single card; only `why` finds these
 * reasons.
 */
import { localZone } from '../../config/local-zone.ts'
import type { Board } from '../../core/board.ts'
import type { Options } from '../../config/load.ts'
import type { LocalZone } from '../../core/gates/active-hours.ts'
import { runnerOf } from '../../core/gates/admission.ts'
import type { OpenRuns } from '../../core/gates/admission.ts'
import type { TaskId } from '../../core/ids.ts'
import { obstacle } from '../../core/reasons/reason.ts'
import type { AgentRole, Obstacle, Reason } from '../../core/reasons/reason.ts'
import { whyNotRunning } from '../../core/reasons/why.ts'
import { IN_REVIEW, isInReview, isSatisfied, resumesInReview } from '../../core/status.ts'
import { isSynthesizer } from '../../core/swarm.ts'
import type { Verification } from '../../core/swarm.ts'
import type { Entry } from '../../core/tournament/tournament.ts'
import type { Task } from '../../core/task.ts'
import { SLOT_KINDS } from '../../core/vocabulary.ts'
import { harnessOf } from '../../harnesses/index.ts'
import { readRoster } from '../../agents/roster.ts'
import type { Roster } from '../../agents/roster.ts'
import { findRunner } from '../../agents/runner.ts'
import type { Runner } from '../../agents/runner.ts'
import { hostIfSupported } from '../../processes/identity.ts'
import type { CardFacts as StoredFacts, GatingParent, SharedFacts, ShortTask, Store } from '../../storage/store.ts'
import { groupBy } from '../../util/group-by.ts'
import type { BoardContext } from '../shared/operation.ts'

/** The agent that would run a card, on this machine. */
interface CardRunner {
  readonly name: string | null
  /** Whether the card is unassigned and the agent is the board's default. */
  readonly isDefault: boolean
  readonly found: Runner | Obstacle | null
}

/** The part of the store that has the facts about single cards. */
interface FactSource extends Pick<Store, 'gatingParents' | 'workedOn' | 'withoutBody' | 'verifications'> {
  readonly tasksById: (ids: readonly TaskId[]) => Promise<readonly Entry[]>
}

/** Builds a source from facts that were read together with the cards. */
export const factSource = ({
  gatingParents,
  entries,
  ownReviews,
  withoutBody,
  verifications,
}: StoredFacts): FactSource => ({
  verifications: async (ids) => verifications.filter(({ synthesizer }) => ids.includes(synthesizer)),
  gatingParents: async (_, children) => gatingParents.filter(({ child }) => children.includes(child)),
  tasksById: async (ids) => entries.filter(({ id }) => ids.includes(id)),
  workedOn: async (_, __, ids) => ids.filter((id) => ownReviews.includes(id)),
  withoutBody: async (_, ids) => ids.filter((id) => withoutBody.includes(id)),
})

/** The agents that run the body of a card as a script. */
export const scriptAgents = ({ agents }: Roster): readonly string[] =>
  [...agents.values()].flatMap((agent) => (harnessOf(agent).runsTheCard ? [agent.name] : []))

interface CardFacts {
  readonly openParents: readonly GatingParent[]
  readonly verification: Verification | null
  readonly entries: readonly Entry[] | undefined
  readonly reviewerIsAuthor: boolean
  /** Whether the card has no body, but its agent runs the body as a script. */
  readonly lacksScript: boolean
}

/** The facts about the store and this machine that all cards share. */
export class ReasonFacts {
  readonly roster: Roster
  readonly boards: ReadonlyMap<string, Board>
  readonly now: number
  readonly #machine: string | null
  readonly #machineCap: number | null
  readonly #slots: SharedFacts['slots']
  readonly #accounts: SharedFacts['accounts']
  readonly #openRuns: SharedFacts['openRuns']
  readonly #zone: LocalZone

  constructor(roster: Roster, shared: SharedFacts, { machineCap }: Pick<Options, 'machineCap'>) {
    this.roster = roster
    this.boards = new Map(shared.boards.map((board) => [board.slug, board]))
    this.now = shared.now
    this.#machine = hostIfSupported()?.machine.id ?? null
    this.#machineCap = machineCap
    this.#slots = shared.slots
    this.#accounts = shared.accounts
    this.#openRuns = shared.openRuns
    this.#zone = localZone(shared.now)
  }

  static async read({ store, options }: Pick<BoardContext, 'store' | 'options'>): Promise<ReasonFacts> {
    const [roster, shared] = await Promise.all([readRoster(options.home), store.sharedFacts()])
    return new ReasonFacts(roster, shared, options)
  }

  /** The reasons why each card waits, in the order of the gates. */
  async reasonsOf(
    store: FactSource,
    tasks: readonly (ShortTask | Task)[],
  ): Promise<ReadonlyMap<TaskId, readonly Reason[]>> {
    const parents = await this.#parentsOf(store, tasks)
    const ownReviews = await this.#ownReviews(store, tasks)
    const verifications = await this.#verificationsOf(store, tasks)
    const entries = await entriesOf(store, tasks)
    const withoutScript = await this.#withoutScript(store, tasks, ownReviews)
    return new Map(
      tasks.flatMap((task) => {
        const board = this.boards.get(task.board)
        if (board === undefined) return []
        const facts = {
          openParents: parents.get(task.id) ?? [],
          verification: verifications.get(task.id) ?? null,
          entries: entries.get(task.id),
          reviewerIsAuthor: ownReviews.has(task.id),
          lacksScript: withoutScript.has(task.id),
        }
        return [[task.id, this.#reasons(task, board, facts)]]
      }),
    )
  }

  /** The reason why the agent with this name cannot run on this machine. Null means that the agent can run. */
  faultOf(name: string, role: AgentRole): Obstacle | null {
    const found = findRunner(name, role, this.roster)
    return 'code' in found ? found : null
  }

  #runnerOf(task: ShortTask | Task, board: Board, reviewerIsAuthor: boolean): CardRunner {
    const inReview = isInReview(task.status) || resumesInReview(task)
    const named = runnerOf(inReview ? { ...task, status: IN_REVIEW } : task, board, reviewerIsAuthor)
    const isDefault = named === null && !inReview && board.settings.defaultAssignee !== null
    const name = isDefault ? board.settings.defaultAssignee : named
    const role = inReview ? 'reviewer' : isDefault ? 'default_assignee' : 'assignee'
    return { name, isDefault, found: name === null ? null : findRunner(name, role, this.roster) }
  }

  #reasons(
    given: ShortTask | Task,
    board: Board,
    { openParents, verification, entries, reviewerIsAuthor, lacksScript }: CardFacts,
  ): readonly Reason[] {
    const { name, isDefault, found } = this.#runnerOf(given, board, reviewerIsAuthor)
    const agent = name === null ? undefined : this.roster.agents.get(name)
    const account = agent?.account ?? null
    const places = { machine: this.#machine, board: board.slug, agent: name, account }
    // A card of a list has no body, result or checks. The reasons do not depend on these fields.
    const task: Task = { body: null, result: null, checks: [], ...given, assignee: isDefault ? name : given.assignee }
    return whyNotRunning({
      task,
      board,
      now: this.now,
      openParents,
      verification,
      ...(entries === undefined ? {} : { entries }),
      parentSweeping: false,
      run: null,
      reviewerIsAuthor,
      machine: this.#machine,
      directoryUser: null,
      branchHolders: [],
      account: this.#accounts.find((one) => one.name === account) ?? null,
      slots: this.#slots.filter(({ kind, name: slot }) => places[kind] === slot),
      openRuns: this.#openIn(places),
      caps: { machine: this.#machineCap, agent: agent?.maxConcurrent ?? null, account: null },
      localObstacles: [
        ...(found !== null && 'code' in found ? [found] : []),
        ...(lacksScript && name !== null ? [obstacle('body_missing', { agent: name })] : []),
      ],
      isDispatched: true,
      localHours: {
        zone: this.#zone,
        agent: agent === undefined ? null : { name: agent.name, hours: agent.activeHours },
      },
    })
  }

  #openIn(places: Readonly<Record<keyof OpenRuns, string | null>>): OpenRuns {
    const agents = this.#openRuns.filter(({ kind }) => kind === 'agent')
    const count = (place: keyof OpenRuns): number =>
      places[place] === null ? 0 : agents.filter((run) => run[place] === places[place]).length
    return Object.fromEntries(SLOT_KINDS.map((kind) => [kind, count(kind)])) as unknown as OpenRuns
  }

  async #parentsOf(
    store: Pick<Store, 'gatingParents'>,
    tasks: readonly (ShortTask | Task)[],
  ): Promise<ReadonlyMap<TaskId, readonly GatingParent[]>> {
    const gated = tasks.filter(({ openParents }) => openParents > 0)
    const found = await Promise.all(
      [...groupBy(gated, ({ board }) => board)].map(([board, cards]) =>
        store.gatingParents(
          board,
          cards.map(({ id }) => id),
        ),
      ),
    )
    return groupBy(found.flat(), ({ child }) => child)
  }

  /** The verifiers of the unfinished synthesizers among the cards. */
  async #verificationsOf(
    store: Pick<Store, 'verifications'>,
    tasks: readonly (ShortTask | Task)[],
  ): Promise<ReadonlyMap<TaskId, Verification>> {
    const ids = tasks.filter((task) => isSynthesizer(task) && !isSatisfied(task.status)).map(({ id }) => id)
    const found = ids.length === 0 ? [] : await store.verifications(ids)
    return new Map(found.map(({ synthesizer, verification }) => [synthesizer, verification]))
  }

  /** The cards without a body whose agent would run the body as a script. */
  async #withoutScript(
    store: Pick<Store, 'withoutBody'>,
    tasks: readonly (ShortTask | Task)[],
    ownReviews: ReadonlySet<TaskId>,
  ): Promise<ReadonlySet<TaskId>> {
    const scripts = tasks.filter((task) => {
      const board = this.boards.get(task.board)
      const found = board === undefined ? null : this.#runnerOf(task, board, ownReviews.has(task.id)).found
      return found !== null && 'harness' in found && found.harness.runsTheCard
    })
    const found = [...groupBy(scripts, ({ board }) => board)].map(([board, cards]) =>
      store.withoutBody(
        board,
        cards.map(({ id }) => id),
      ),
    )
    return new Set((await Promise.all(found)).flat())
  }

  /** The cards in review on which the board's reviewer has worked. */
  async #ownReviews(
    store: Pick<Store, 'workedOn'>,
    tasks: readonly (ShortTask | Task)[],
  ): Promise<ReadonlySet<TaskId>> {
    const found = await Promise.all(
      [...this.boards.values()].map(async ({ slug, settings: { reviewer } }) => {
        const ids = tasks.flatMap((task) =>
          task.board === slug && task.reviewer === null && (isInReview(task.status) || resumesInReview(task))
            ? [task.id]
            : [],
        )
        return reviewer === null || ids.length === 0 ? [] : store.workedOn(slug, reviewer, ids)
      }),
    )
    return new Set(found.flat())
  }
}

/** The entries of each tournament without a result. */
async function entriesOf(
  store: Pick<FactSource, 'tasksById'>,
  tasks: readonly (ShortTask | Task)[],
): Promise<ReadonlyMap<TaskId, readonly Entry[]>> {
  const asked = tasks.flatMap(({ id, tournament, status }) =>
    tournament === null || isSatisfied(status) ? [] : [{ id, entries: tournament.entries }],
  )
  if (asked.length === 0) return new Map()
  const found = await store.tasksById(asked.flatMap(({ entries }) => entries))
  return new Map(asked.map(({ id, entries }) => [id, found.filter((entry) => entries.includes(entry.id))]))
}

/** The reasons that are not obstacles: the card runs, is finished, or starts soon. */
const NO_OBSTACLE: ReadonlySet<Reason['code']> = new Set(['next_pass', 'no_dispatcher', 'running', 'finished'])

/** The first reason that keeps a card from starting. */
export const firstObstacle = (reasons: readonly Reason[] = []): Reason | null =>
  reasons.find(({ code }) => !NO_OBSTACLE.has(code)) ?? null
