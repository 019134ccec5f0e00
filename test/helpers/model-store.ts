/**
 * A store of plain maps, without an engine: the reference for `decide`. Core runs here exactly as inside a transaction,
 * and each change takes a few lines of ordinary code. The SQL store must agree with this store after every step. Rows
 * are never mutated, so a snapshot is a copy of the maps.
 */
import type { Account } from '../../src/core/account.ts'
import { actorName } from '../../src/core/actor.ts'
import type { Attachment } from '../../src/core/attachment.ts'
import type { Board } from '../../src/core/board.ts'
import { decideWith, derivePatch, factsFor, prepareCommand } from '../../src/core/command.ts'
import type { Command, DecideContext, DecisionOutcome, OutcomeOf } from '../../src/core/command.ts'
import type { Comment } from '../../src/core/comment.ts'
import type { Change, ScopeRows, Scope } from '../../src/core/decision.ts'
import { rankOf } from '../../src/core/limits/deadlines.ts'
import { isAbove } from '../../src/core/limits/place.ts'
import type { Dispatcher } from '../../src/core/limits/lease.ts'
import { BoardError, noBoard } from '../../src/core/errors.ts'
import type { InboxMark } from '../../src/core/inbox.ts'
import type { BoardEvent, EventDraft } from '../../src/core/event.ts'
import type { FactName, FactQuery, FactTypes } from '../../src/core/facts.ts'
import type { TaskId } from '../../src/core/ids.ts'
import type { Link } from '../../src/core/link.ts'
import { gates, shiftGate } from '../../src/core/gates/readiness.ts'
import { isSatisfied } from '../../src/core/status.ts'
import { OUTCOMES_WITHOUT_ATTEMPT } from '../../src/core/limits/retry.ts'
import type { Run } from '../../src/core/run.ts'
import { freshSlot } from '../../src/core/slot.ts'
import type { SavedView } from '../../src/core/saved-view.ts'
import type { Series } from '../../src/core/series.ts'
import type { Slot, SlotKey } from '../../src/core/slot.ts'
import { areInOneSwarm, isSynthesizer, isVerifier } from '../../src/core/swarm.ts'
import type { BlackboardEntry, Verification } from '../../src/core/swarm.ts'
import type { Task } from '../../src/core/task.ts'
import { SWARM_ROLES } from '../../src/core/vocabulary.ts'
import { isExpired } from '../../src/core/token.ts'
import type { Token } from '../../src/core/token.ts'
import { VERBS } from '../../src/core/transitions/index.ts'
import type { VerbName } from '../../src/core/transitions/index.ts'
import { pinnedBranch } from '../../src/core/gates/workspace-gates.ts'
import type { BranchHolder } from '../../src/core/gates/workspace-gates.ts'

/** All rows, in a fixed order. */
export interface ModelState {
  readonly boards: readonly Board[]
  readonly tasks: readonly Task[]
  readonly runs: readonly Run[]
  readonly links: readonly Link[]
  readonly comments: readonly Comment[]
  readonly attachments: readonly Attachment[]
  readonly slots: readonly Slot[]
  readonly accounts: readonly Account[]
  readonly dispatchers: readonly Dispatcher[]
  readonly inboxMarks: readonly InboxMark[]
  readonly tokens: readonly Token[]
  readonly savedViews: readonly SavedView[]
  readonly series: readonly Series[]
  readonly blackboard: readonly BlackboardEntry[]
  readonly events: readonly BoardEvent[]
}

const key = (...parts: readonly string[]): string => parts.join(' ')
const isOver = ({ status, deletedAt }: Task): boolean => deletedAt !== null || isSatisfied(status)

const byId = (a: { id: string }, b: { id: string }): number => (a.id < b.id ? -1 : 1)

type Answerers = {
  readonly [N in FactName]: (query: { readonly fact: N } & FactTypes[N]['ask'], board: string) => FactTypes[N]['answer']
}

export class ModelStore {
  readonly #clock: () => number
  readonly #boards = new Map<string, Board>()
  readonly #tasks = new Map<string, Task>()
  readonly #runs = new Map<string, Run>()
  readonly #links = new Map<string, Link>()
  readonly #comments = new Map<string, Comment>()
  readonly #attachments = new Map<string, Attachment>()
  readonly #slots = new Map<string, Slot>()
  readonly #accounts = new Map<string, Account>()
  readonly #dispatchers = new Map<string, Dispatcher>()
  readonly #inboxMarks = new Map<string, InboxMark>()
  readonly #tokens = new Map<string, Token>()
  readonly #savedViews = new Map<string, SavedView>()
  readonly #series = new Map<string, Series>()
  readonly #blackboard = new Map<string, BlackboardEntry>()
  readonly #notices = new Set<string>()
  readonly #events: BoardEvent[] = []

  constructor(clock: () => number) {
    this.#clock = clock
  }

  /** Returns a copy of the store. Changes to the copy do not change this store. */
  fork(): ModelStore {
    const copy = new ModelStore(this.#clock)
    const put = <K, V>(to: Map<K, V>, from: ReadonlyMap<K, V>): void => from.forEach((row, id) => to.set(id, row))
    put(copy.#boards, this.#boards)
    put(copy.#tasks, this.#tasks)
    put(copy.#runs, this.#runs)
    put(copy.#links, this.#links)
    put(copy.#comments, this.#comments)
    put(copy.#attachments, this.#attachments)
    put(copy.#slots, this.#slots)
    put(copy.#accounts, this.#accounts)
    put(copy.#dispatchers, this.#dispatchers)
    put(copy.#inboxMarks, this.#inboxMarks)
    put(copy.#tokens, this.#tokens)
    put(copy.#savedViews, this.#savedViews)
    put(copy.#series, this.#series)
    put(copy.#blackboard, this.#blackboard)
    for (const about of this.#notices) copy.#notices.add(about)
    copy.#events.push(...this.#events)
    return copy
  }

  decide<N extends VerbName>(command: Command<N>): OutcomeOf<N> {
    return this.#decide(command) as OutcomeOf<N>
  }

  #decide(command: Command): DecisionOutcome<unknown> {
    const prepared = prepareCommand(command, VERBS[command.verb])
    if (prepared instanceof BoardError) return { ok: false, error: prepared }
    const board = this.board(command.board) ?? prepared.verb.boardIfMissing?.(command.board)
    if (board === undefined) return { ok: false, error: noBoard(command.board) }
    const rows = this.#load(command.board, prepared.verb.scope(prepared.input, command.board, command.actor))
    const now = this.#clock()
    const moment: DecideContext = { rows, board, actor: command.actor, now }
    const facts = Object.fromEntries(
      Object.entries(factsFor(prepared, moment)).map(([name, query]) => [name, this.#answer(query, command.board)]),
    )
    const decision = decideWith(prepared, moment, facts)
    const followed = decision.changes.flatMap((change) => this.#apply(change, moment))
    for (const draft of [...decision.events, ...followed]) this.#append(draft, command, now)
    return decision.ok
      ? { ok: true, result: decision.result, now }
      : { ok: false, error: new BoardError(decision.code, decision.message, { details: decision.details }) }
  }

  // Queries

  board = (slug: string): Board | null => this.#boards.get(slug) ?? null
  task = (id: TaskId): Task | null => this.#tasks.get(id) ?? null
  openRun = (task: TaskId): Run | null => this.runs(task).find((run) => run.endedAt === null) ?? null
  runs = (task: TaskId): Run[] =>
    [...this.#runs.values()].filter((run) => run.taskId === task).sort((a, b) => a.attempt - b.attempt)
  link = (parent: TaskId, child: TaskId): Link | null => this.#links.get(key(parent, child)) ?? null
  account = (name: string): Account | null => this.#accounts.get(name) ?? null
  slot = ({ kind, name }: SlotKey): Slot | null => this.#slots.get(key(kind, name)) ?? null
  comments = (task: TaskId): Comment[] => [...this.#comments.values()].filter((row) => row.taskId === task)
  attachments = (task: TaskId): Attachment[] => [...this.#attachments.values()].filter((row) => row.taskId === task)
  events = (task?: TaskId): BoardEvent[] =>
    task === undefined ? [...this.#events] : this.#events.filter((event) => event.taskId === task)
  hasSweepingParent = (child: TaskId): boolean =>
    this.#answerers.sweeping_parent({ fact: 'sweeping_parent', child }, '') !== null
  branchHolders = (task: Task): readonly BranchHolder[] => {
    const pinned = pinnedBranch(task) ?? { repo: null, branch: null }
    return this.#answerers.branch_holders({ fact: 'branch_holders', ...pinned, except: task.id }, task.board)
  }
  openParents = (child: TaskId): TaskId[] => this.#parents(child, (link) => link.waivedBy === null)
  openRuns = (query: Omit<Extract<FactQuery, { fact: 'open_runs' }>, 'fact'>, board: string) =>
    this.#answerers.open_runs({ fact: 'open_runs', ...query }, board)

  state(): ModelState {
    return {
      boards: [...this.#boards.values()],
      tasks: [...this.#tasks.values()],
      runs: [...this.#runs.values()],
      links: [...this.#links.values()],
      comments: [...this.#comments.values()],
      attachments: [...this.#attachments.values()],
      slots: [...this.#slots.values()],
      accounts: [...this.#accounts.values()],
      dispatchers: [...this.#dispatchers.values()],
      inboxMarks: [...this.#inboxMarks.values()],
      tokens: [...this.#tokens.values()],
      savedViews: [...this.#savedViews.values()],
      series: [...this.#series.values()],
      blackboard: [...this.#blackboard.values()],
      events: [...this.#events],
    }
  }

  /** The verifier that a synthesizer waits for. Null means that the card is no synthesizer. */
  verification(id: TaskId): Verification | null {
    const synthesizer = this.#tasks.get(id)
    if (synthesizer === undefined || !isSynthesizer(synthesizer)) return null
    const found = [...this.#tasks.values()].find((task) => isVerifier(task) && areInOneSwarm(task, synthesizer))
    if (found === undefined) return { verifier: null, waived: false }
    const { status, deletedAt } = found
    const restorable = !this.hasSweepingParent(found.id)
    const verifier = { id: found.id, status, deleted: deletedAt !== null, restorable }
    return { verifier, waived: (this.link(found.id, id)?.waivedBy ?? null) !== null }
  }

  #synthesizes(id: TaskId, worker: TaskId): boolean {
    const [one, other] = [this.#tasks.get(id), this.#tasks.get(worker)]
    return (
      one !== undefined &&
      other !== undefined &&
      isSynthesizer(one) &&
      other.swarmRole === 'worker' &&
      areInOneSwarm(one, other)
    )
  }

  // Rows

  #seriesOn(board: string, id: Scope['series']): Series | null {
    const series = id === undefined ? undefined : this.#series.get(id)
    return series?.board === board ? series : null
  }

  #load(board: string, scope: Scope): ScopeRows {
    const tasks = this.#found(board, scope.tasks ?? [])
    const runs = [...tasks.keys()].flatMap((id): [TaskId, Run][] => {
      const run = this.openRun(id)
      return run === null ? [] : [[id, run]]
    })
    return {
      board: this.board(board),
      tasks,
      parents: this.#found(board, scope.parents ?? []),
      runs: new Map(runs),
      slots: [...(scope.slots ?? []), ...(scope.reserves ?? [])].map((slot) => this.#slotFor(slot)).sort(bySlot),
      account: scope.account == null ? null : this.account(scope.account),
      series: this.#seriesOn(board, scope.series),
      dispatcher: scope.dispatcher === undefined ? null : (this.#dispatchers.get(scope.dispatcher.machine) ?? null),
    }
  }

  #found(board: string, ids: readonly TaskId[]): Map<TaskId, Task> {
    const rows = ids.flatMap((id) => this.#tasks.get(id) ?? []).filter((task) => task.board === board)
    return new Map(rows.map((task) => [task.id, task]))
  }

  #slotFor({ kind, name }: SlotKey): Slot {
    const there = this.slot({ kind, name })
    if (there) return there
    const row = freshSlot({ kind, name })
    this.#slots.set(key(kind, name), row)
    return row
  }

  // Facts

  #answer(query: FactQuery, board: string): unknown {
    return (this.#answerers[query.fact] as (query: FactQuery, board: string) => unknown)(query, board)
  }

  readonly #answerers: Answerers = {
    open_parents: ({ child }) => this.openParents(child),
    unsatisfied_parents: ({ child }) => this.#parents(child, () => true),
    reaches: ({ from, to }) => this.#reaches(from, to),
    link: ({ parent, child }) => {
      const link = this.link(parent, child)
      return link === null ? null : { waived: link.waivedBy !== null }
    },
    cards: ({ ids }) =>
      [...new Set(ids)]
        .flatMap((id) => this.#tasks.get(id) ?? [])
        .sort(byId)
        .map(({ id, board, title, createdBy, createdByRun, status, deletedAt }) => ({
          id,
          board,
          title,
          createdBy,
          createdByRun,
          status,
          deletedAt,
        })),
    children_among: ({ parent, ids }) => [...new Set(ids)].filter((id) => this.link(parent, id) !== null).sort(),
    unfinished_child: ({ parent }) =>
      [...this.#tasks.values()]
        .filter(({ id, status, deletedAt }) => {
          const isOpen = deletedAt === null && status !== 'done' && status !== 'archived'
          return isOpen && (this.link(parent, id) !== null || this.#synthesizes(id, parent))
        })
        .sort(byId)[0]?.id ?? null,
    sweeping_parent: ({ child }) =>
      [...this.#tasks.values()]
        .filter(({ id, workspace }) => workspace.state === 'sweeping' && this.link(id, child) !== null)
        .sort(byId)[0]?.id ?? null,
    notice_shown: ({ about }) => this.#notices.has(about),
    body_writer: ({ task }) =>
      this.#events.findLast(
        ({ taskId, kind, data }) =>
          taskId === task &&
          (kind === 'commands_approved'
            ? data['script'] === true
            : (kind === 'edited' || kind === 'specified') && (data['fields'] as string[]).includes('body')),
      )?.actor ?? null,
    saved_view: ({ name }) => this.#savedViews.get(name) ?? null,
    series_card: ({ series, slot }) =>
      [...this.#tasks.values()].find((task) => task.series === series && task.seriesSlot === slot)?.id ?? null,
    neighbour: ({ place, direction, except }, board) => {
      if (place === null) return null
      const { status, from } = place
      const column = [...this.#tasks.values()]
        .filter((task) => task.board === board && task.status === status && task.deletedAt === null)
        .filter((task) => task.id !== except)
        .sort((a, b) => (isAbove(a, b) ? -1 : 1))
      const found =
        direction === 'down'
          ? column.find((task) => from === null || isAbove(from, task))
          : column.findLast((task) => from === null || isAbove(task, from))
      return found === undefined ? null : { id: found.id, rank: found.rank }
    },
    verification: ({ synthesizer }) => (synthesizer === null ? null : this.verification(synthesizer)),
    swarm_members: ({ root }) =>
      [...this.#tasks.values()]
        .flatMap(({ swarm, swarmRole: role, id, title, status, assignee, deletedAt }) =>
          root === null || swarm !== root || role === null ? [] : [{ id, role, title, status, assignee, deletedAt }],
        )
        .sort((a, b) => SWARM_ROLES.indexOf(a.role) - SWARM_ROLES.indexOf(b.role) || byId(a, b)),
    blackboard_use: ({ root, key: wanted }) => {
      const entries = [...this.#blackboard.values()].filter((entry) => entry.root === root)
      return { entries: entries.length, hasKey: entries.some((entry) => entry.key === wanted) }
    },
    by_key: ({ key: wanted }, board) =>
      wanted === null
        ? null
        : ([...this.#tasks.values()].find(
            ({ board: on, idempotencyKey, status }) =>
              on === board && idempotencyKey === wanted && status !== 'archived',
          ) ?? null),
    last_attempt: ({ task }) => this.runs(task).length,
    run_results: ({ task }) => {
      const runs = task === null ? [] : this.runs(task).filter(({ endedAt }) => endedAt !== null)
      const finished = runs.findLast(
        ({ outcome, summary }) => summary !== null && (outcome === 'completed' || outcome === 'review_requested'),
      )
      const last = runs.findLast(({ changes }) => changes !== null) ?? finished
      if (last === undefined) return null
      const { changes, machine, dispatcher } = last
      return { summary: finished?.summary ?? null, changes, machine, dispatcher }
    },
    attempt_starts: ({ task, most }) =>
      this.runs(task)
        .filter((run) => run.kind === 'agent' && run.phase !== 'check' && spendsAttempt(run))
        .map(({ startedAt }) => startedAt)
        .sort((a, b) => b - a)
        .slice(0, most),
    plan_starts: ({ most }, board) =>
      [...this.#tasks.values()]
        .flatMap((task) => (task.board === board && task.planStartedAt !== null ? [task.planStartedAt] : []))
        .sort((a, b) => b - a)
        .slice(0, most),
    worked_on: ({ agent, ids }) => [...new Set(ids)].sort().filter((id) => this.workedOn(agent, id)),
    run_exists: ({ id }) => {
      const run = this.#runs.get(id)
      return run === undefined ? null : { board: run.board, taskId: run.taskId, ended: run.endedAt !== null }
    },
    run_creations: ({ run }) => {
      if (run === null) return { cards: 0, depth: 0 }
      let depth = 0
      for (let at: Run['id'] | null = run; at !== null; depth += 1) {
        const above: Run | undefined = this.#runs.get(at)
        at = above === undefined ? null : (this.#tasks.get(above.taskId)?.createdByRun ?? null)
      }
      return { cards: [...this.#tasks.values()].filter((task) => task.createdByRun === run).length, depth }
    },
    open_runs: ({ machine, agent, account }, board) => {
      const open = [...this.#runs.values()].filter((run) => run.endedAt === null && run.kind === 'agent')
      const among = (holds: (run: Run) => boolean): number => open.filter(holds).length
      return {
        machine: among((run) => machine !== null && run.machine === machine),
        board: among((run) => run.board === board),
        agent: among((run) => agent !== null && run.agent === agent),
        account: among((run) => account !== null && run.account === account),
      }
    },
    comment: ({ id }) => {
      const row = id === null ? undefined : this.#comments.get(id)
      return row === undefined ? null : { taskId: row.taskId }
    },
    attachment: ({ id }) => {
      const row = this.#attachments.get(id)
      return row === undefined ? null : { taskId: row.taskId, filename: row.filename }
    },
    board_use: (_, board) => {
      const open = [...this.#runs.values()].filter((run) => run.board === board && run.endedAt === null)
      return {
        hasCards: [...this.#tasks.values()].some((task) => task.board === board),
        running: open.map((run) => run.taskId).sort()[0] ?? null,
      }
    },
    directory_user: ({ path, except }) => {
      if (path === '') return null
      const users = [...this.#tasks.values()].filter(
        ({ id, status, workspace }) =>
          id !== except && status === 'running' && workspace.kind === 'dir' && workspace.path === path,
      )
      return users.sort(byId)[0]?.id ?? null
    },
    branch_holders: ({ repo, branch, except }) =>
      [...this.#tasks.values()]
        .filter((task) => task.id !== except && this.#isOnBranch(task, repo, branch))
        .filter(
          ({ status, workspace }) => status === 'running' || ['live', 'kept', 'sweeping'].includes(workspace.state),
        )
        .sort((a, b) => Number(isOver(a)) - Number(isOver(b)) || b.updatedAt - a.updatedAt || byId(a, b))
        .slice(0, 8)
        .map(({ id, board, status, deletedAt, workspace: { state, machine, host, owner } }) => ({
          needed:
            this.#answerers.unfinished_child({ fact: 'unfinished_child', parent: id }, board) !== null ||
            this.#answerers.folder_user({ fact: 'folder_user', owner: id, repo, branch }, board) !== null,
          id,
          board,
          status,
          deleted: deletedAt !== null,
          state,
          machine,
          host,
          owner,
        })),
    folder_user: ({ owner, repo, branch }, board) => {
      const users = [...this.#tasks.values()].filter(
        (task) =>
          task.board === board &&
          !isOver(task) &&
          (task.workspace.owner === owner || (task.id !== owner && this.#isOnBranch(task, repo, branch))),
      )
      return users.sort(byId)[0]?.id ?? null
    },
  }

  #isOnBranch({ branch: own, workspace }: Task, repo: string | null, branch: string | null): boolean {
    return (
      repo !== null && branch !== null && workspace.kind === 'worktree' && own === branch && workspace.repo === repo
    )
  }

  workedOn(agent: string | null, task: TaskId): boolean {
    const own = this.runs(task).filter((run) => agent !== null && run.agent === agent && run.kind === 'agent')
    return own.some(({ phase, outcome }) => phase === 'work' && outcome !== 'spawn_failed')
  }

  #parents(child: TaskId, counts: (link: Link) => boolean): TaskId[] {
    return [...this.#links.values()]
      .filter((link) => link.childId === child && counts(link) && this.#gates(link.parentId))
      .map((link) => link.parentId)
      .sort()
  }

  #gates(id: TaskId): boolean {
    const task = this.#tasks.get(id)
    return task !== undefined && gates(task)
  }

  #reaches(from: TaskId, to: TaskId): boolean {
    const seen = new Set<TaskId>([from])
    for (const id of seen) for (const link of this.#childLinks(id)) seen.add(link.childId)
    return seen.has(to)
  }

  #childLinks(parent: TaskId): Link[] {
    return [...this.#links.values()]
      .filter((link) => link.parentId === parent)
      .sort((a, b) => (a.childId < b.childId ? -1 : 1))
  }

  // The following methods apply changes. Each returns the events that follow from the change.

  #apply(change: Change, moment: DecideContext): EventDraft[] {
    switch (change.op) {
      case 'insert_task':
        return this.#insertTask(change.row)
      case 'update_task':
        return this.#updateTask(change.id, change.patch, moment)
      case 'move_forward':
        for (const task of this.#tasks.values())
          if (task.board === moment.board.slug && task.status === change.status && task.deletedAt === null)
            if (!isAbove(change.last, task))
              this.#tasks.set(task.id, {
                ...task,
                rank: task.rank - change.by,
                rankShift: task.rankShift - change.by,
              })
        return []
      case 'purge_task':
        return this.#purgeTask(change.id)
      case 'reserve_capacity':
        return []
      case 'insert_run':
        return unique(this.#runs, change.row.id, change.row)
      case 'update_run':
        return this.#updateRun(change.taskId, change.patch)
      case 'insert_link':
        unique(this.#links, key(change.row.parentId, change.row.childId), change.row)
        return change.counted ? [] : this.#shiftEdge(change.row, 1, moment)
      case 'delete_link':
        return this.#deleteLink(change.parentId, change.childId, moment)
      case 'waive_links':
        return this.#waiveLinks(change, moment)
      case 'clear_waivers':
        return this.#clearWaivers(change.childId, moment)
      case 'insert_comment':
        return unique(this.#comments, change.row.id, change.row)
      case 'insert_attachment':
        return unique(this.#attachments, change.row.id, change.row)
      case 'delete_attachment':
        this.#attachments.delete(change.id)
        return []
      case 'put_slot':
        this.#slots.set(key(change.row.kind, change.row.name), change.row)
        return []
      case 'put_account':
        this.#accounts.set(change.row.name, change.row)
        return []
      case 'put_board':
        this.#boards.set(change.row.slug, change.row)
        for (const task of this.#tasks.values())
          if (task.board === change.row.slug) this.#tasks.set(task.id, { ...task, rank: rankOf(task, change.row) })
        return []
      case 'delete_board':
        return this.#deleteBoard(moment.board.slug)
      case 'put_dispatcher':
        this.#dispatchers.set(change.row.machine, change.row)
        return []
      case 'delete_dispatcher':
        this.#dispatchers.delete(change.machine)
        return []
      case 'put_dispatcher_memory':
        // The model does not store the memory of dispatchers, because no rule depends on it.
        return []
      case 'put_inbox_mark':
        this.#inboxMarks.set(key(change.row.kind, change.row.name), change.row)
        return []
      case 'delete_inbox_mark':
        this.#inboxMarks.delete(key(change.kind, change.name))
        return []
      case 'put_token':
        this.#tokens.set(change.row.id, change.row)
        return []
      case 'delete_token':
        this.#tokens.delete(change.id)
        return []
      case 'delete_expired_tokens':
        for (const token of this.#tokens.values()) if (isExpired(token, change.before)) this.#tokens.delete(token.id)
        return []
      case 'touch_token': {
        const token = this.#tokens.get(change.id)
        if (token !== undefined) this.#tokens.set(token.id, { ...token, lastUsedAt: change.at })
        return []
      }
      case 'put_saved_view':
        this.#savedViews.set(change.row.name, change.row)
        return []
      case 'delete_saved_view':
        this.#savedViews.delete(change.name)
        return []
      case 'put_series':
        this.#series.set(change.row.id, change.row)
        return []
      case 'delete_series':
        this.#series.delete(change.id)
        return []
      case 'put_blackboard_entry':
        this.#blackboard.set(key(change.row.root, change.row.key), change.row)
        return []
      case 'delete_blackboard_entry':
        this.#blackboard.delete(key(change.root, change.key))
        return []
      case 'record_notice':
        if (this.#notices.has(change.about)) throw new Error(`${change.about} was shown before`)
        this.#notices.add(change.about)
        return []
    }
  }

  #insertTask(row: Task): EventDraft[] {
    const holder = this.#answerers.by_key({ fact: 'by_key', key: row.idempotencyKey }, row.board)
    if (holder !== null) throw new Error(`${row.id} and ${holder.id} have the same idempotency key`)
    return unique(this.#tasks, row.id, row)
  }

  #updateTask(id: TaskId, patch: Partial<Task>, { board, now }: DecideContext): EventDraft[] {
    const before = this.#row(id)
    const derived = derivePatch(before, patch, { run: this.openRun(id), board, now })
    const after: Task = { ...before, ...derived }
    this.#tasks.set(id, after)
    if (gates(before) === gates(after)) return []
    const shift = { delta: gates(after) ? 1 : -1, cause: 'parent_reopened', now } as const
    // When a parent is reopened, its earlier waivers no longer apply.
    if (shift.delta === 1) for (const link of this.#childLinks(id)) this.#setWaiver(link, null, null)
    return this.#childLinks(id).flatMap((link) => this.#shift(link, shift))
  }

  #row(id: TaskId): Task {
    const task = this.#tasks.get(id)
    if (task === undefined) throw new Error(`card ${id} does not exist`)
    return task
  }

  #updateRun(taskId: TaskId, patch: Partial<Run>): EventDraft[] {
    const open = this.openRun(taskId)
    if (open === null) throw new Error(`${taskId} has no open run to change`)
    this.#runs.set(open.id, { ...open, ...patch })
    return []
  }

  /** Adds one to the open parents of a child or subtracts one. If the link is waived, the number stays the same. */
  #shift(
    link: Link,
    { delta, cause, now }: { delta: 1 | -1; cause: 'linked' | 'parent_reopened'; now: number },
  ): EventDraft[] {
    if (link.waivedBy !== null) return []
    const child = this.#row(link.childId)
    const { patch, events } = shiftGate(child, { delta, parent: link.parentId, cause })
    this.#tasks.set(child.id, { ...child, ...patch, updatedAt: now })
    const run = this.openRun(child.id)
    if (delta > 0 && run !== null) this.#runs.set(run.id, { ...run, parentReopenedAt: now })
    return [...events]
  }

  #shiftEdge(link: Link, delta: 1 | -1, { now }: DecideContext): EventDraft[] {
    return this.#gates(link.parentId) ? this.#shift(link, { delta, cause: 'linked', now }) : []
  }

  #deleteLink(parentId: TaskId, childId: TaskId, moment: DecideContext): EventDraft[] {
    const link = this.link(parentId, childId)
    if (link === null) return []
    const events = this.#shiftEdge(link, -1, moment)
    this.#links.delete(key(parentId, childId))
    return events
  }

  #waiveLinks({ childId, parents, by }: Extract<Change, { op: 'waive_links' }>, moment: DecideContext): EventDraft[] {
    return parents.flatMap((parentId) => {
      const link = this.link(parentId, childId)
      if (link === null || link.waivedBy !== null) return []
      const events = this.#shiftEdge(link, -1, moment)
      this.#setWaiver(link, by, moment.now)
      return events
    })
  }

  #clearWaivers(child: TaskId, moment: DecideContext): EventDraft[] {
    const waived = [...this.#links.values()]
      .filter((link) => link.childId === child && link.waivedBy !== null)
      .sort((a, b) => (a.parentId < b.parentId ? -1 : 1))
    return waived.flatMap((link) => this.#shiftEdge(this.#setWaiver(link, null, null), 1, moment))
  }

  #setWaiver(link: Link, waivedBy: string | null, waivedAt: number | null): Link {
    const row: Link = { ...link, waivedBy, waivedAt }
    this.#links.set(key(link.parentId, link.childId), row)
    return row
  }

  #deleteBoard(slug: string): EventDraft[] {
    for (const rows of [this.#comments, this.#attachments, this.#runs, this.#links, this.#tasks])
      drop(rows as Map<string, { readonly board: string }>, (row) => row.board === slug)
    drop(this.#inboxMarks, (row) => row.board === slug)
    drop(this.#savedViews, (row) => row.board === slug)
    drop(this.#series, (row) => row.board === slug)
    drop(this.#blackboard, (row) => row.board === slug)
    this.#slots.delete(key('board', slug))
    this.#boards.delete(slug)
    return []
  }

  #purgeTask(id: TaskId): EventDraft[] {
    drop(this.#comments, (row) => row.taskId === id)
    drop(this.#attachments, (row) => row.taskId === id)
    drop(this.#runs, (row) => row.taskId === id)
    drop(this.#links, (row) => row.parentId === id || row.childId === id)
    this.#inboxMarks.delete(key('card', id))
    drop(this.#blackboard, (row) => row.root === id)
    this.#tasks.delete(id)
    return []
  }

  #append({ kind, taskId, runId = null, data }: EventDraft, command: Command, now: number): void {
    const id = this.#events.length + 1
    const actor = actorName(command.actor)
    const event: BoardEvent = {
      id,
      board: command.board,
      kind,
      taskId,
      runId,
      actor,
      createdAt: now,
      data: { ...data },
    }
    this.#events.push(event)
  }
}

function drop<R>(rows: Map<string, R>, isIts: (row: R) => boolean): void {
  for (const [at, row] of rows) if (isIts(row)) rows.delete(at)
}

/** Adds a row. Throws an error on a duplicate key, as an engine would. */
function unique<R>(rows: Map<string, R>, at: string, row: R): [] {
  if (rows.has(at)) throw new Error(`${at} already exists`)
  rows.set(at, row)
  return []
}

const bySlot = (a: Slot, b: Slot): number => (key(a.kind, a.name) < key(b.kind, b.name) ? -1 : 1)

const spendsAttempt = ({ outcome }: Run): boolean => outcome === null || !OUTCOMES_WITHOUT_ATTEMPT.includes(outcome)
