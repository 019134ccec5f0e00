/**
 * Reads the context of a card: the facts for its next claim, the hand-offs of its parents, and recent work of its
 * agent.
 */
import type { RecentWork } from '../core/briefing/briefing-input.ts'
import type { FactName, FactQuery, FactTypes } from '../core/facts.ts'
import type { TaskId } from '../core/ids.ts'
import type { Run } from '../core/run.ts'
import type { Slot, SlotKey } from '../core/slot.ts'
import type { Task } from '../core/task.ts'
import { pinnedBranch } from '../core/gates/workspace-gates.ts'
import { answerFact, openRunsOf } from './queries/facts.ts'
import { gatingParents, lastSummaries, parentIdsOf, recentWork, storedPaths } from './queries/history.ts'
import { tasksById, withoutBody } from './queries/tasks.ts'
import { ACCOUNT, RUN, SLOT, TASK } from './rows.ts'
import { selectOne } from './select.ts'
import { EMPTY, chunks, sql } from './sql.ts'
import type { Status } from '../core/vocabulary.ts'
import type { AdmissionFacts, GatingParent, ParentHandOff } from './store.ts'
import { all, askAll, first, together } from './tx.ts'
import type { Asking, Row } from './tx.ts'

export function* cardsById(ids: readonly TaskId[]): Asking<readonly Task[]> {
  const answers = yield* askAll([...chunks([...new Set(ids)].sort())].map(tasksById))
  return answers.flat().map((row) => TASK.decode(row))
}

export function* gatingParentsOf(board: string, children: readonly TaskId[]): Asking<readonly GatingParent[]> {
  const answers = yield* askAll([...chunks(children)].map((some) => gatingParents(board, some)))
  return answers.flat().map((row) => ({
    child: row.child_id as TaskId,
    id: row.id as TaskId,
    title: String(row.title),
    status: row.status as Status,
  }))
}

export function* cardsWithoutBody(board: string, ids: readonly TaskId[]): Asking<readonly TaskId[]> {
  const answers = yield* askAll([...chunks(ids)].map((some) => withoutBody(board, some)))
  return answers.flat().map((row) => row.id as TaskId)
}

export function* handOffsTo(board: string, child: TaskId): Asking<readonly ParentHandOff[]> {
  const parents = yield* all(parentIdsOf(board, child))
  const handOffs: ParentHandOff[] = []
  for (const ids of chunks(parents.map((row) => row.parent_id as TaskId))) {
    const tasks = yield* cardsById(ids)
    const summaries = new Map((yield* all(lastSummaries(board, ids))).map((row) => [row.task_id, row.summary]))
    const winners = tasks.flatMap(({ tournament }) => tournament?.pick?.winner ?? [])
    const files = yield* all(storedPaths(board, [...ids, ...winners]))
    for (const task of tasks) {
      const summary = (summaries.get(task.id) ?? null) as string | null
      handOffs.push({ task, summary, storedPaths: pathsOfCard(files, task) })
    }
  }
  return handOffs
}

export function* workOf(
  board: string,
  agent: string,
  options: { readonly except: TaskId; readonly limit: number },
): Asking<readonly RecentWork[]> {
  return (yield* all(recentWork(board, agent, options))).map((row) => ({
    taskId: row.task_id as TaskId,
    title: String(row.title),
    summary: row.summary as string | null,
    endedAt: Number(row.ended_at),
  }))
}

/** The files of a card. A tournament has the files of its winner too. */
const pathsOfCard = (files: readonly Row[], { id, tournament }: Task): readonly string[] =>
  files
    .filter((row) => row.task_id === id || row.task_id === tournament?.pick?.winner)
    .map((row) => String(row.stored_path))

type Place = Pick<Run, 'machine' | 'agent' | 'account'>

export function* readAdmissionFacts(
  { board, id, workspace, branch }: Pick<Task, 'board' | 'id' | 'workspace' | 'branch'>,
  place: Place,
): Asking<AdmissionFacts> {
  const path = workspace.kind === 'dir' ? (workspace.path ?? '') : ''
  const pinned = pinnedBranch({ branch, workspace }) ?? { repo: null, branch: null }
  const [openParents, sweeping, openRuns, directoryUser, branchHolders, account, slots, run, verification] =
    yield* together<
      [
        AdmissionFacts['openParents'],
        TaskId | null,
        AdmissionFacts['openRuns'],
        AdmissionFacts['directoryUser'],
        AdmissionFacts['branchHolders'],
        AdmissionFacts['account'],
        AdmissionFacts['slots'],
        AdmissionFacts['run'],
        AdmissionFacts['verification'],
      ]
    >([
      openParentsOf(board, id),
      ask({ fact: 'sweeping_parent', child: id }, board),
      ask({ fact: 'open_runs', ...place }, board),
      ask({ fact: 'directory_user', path, except: id }, board),
      ask({ fact: 'branch_holders', ...pinned, except: id }, board),
      accountNamed(place.account),
      slotsOf(board, place),
      selectOne(RUN, openRunsOf(board, [id], EMPTY)),
      ask({ fact: 'verification', synthesizer: id }, board),
    ])
  const parentSweeping = sweeping !== null
  return { verification, openParents, parentSweeping, openRuns, directoryUser, branchHolders, account, slots, run }
}

function* openParentsOf(board: string, id: TaskId): Asking<readonly Task[]> {
  return yield* cardsById(yield* ask({ fact: 'open_parents', child: id }, board))
}

/** Answers a fact query. The type of the answer is that of the fact. */
const ask = <N extends FactName>(query: { readonly fact: N } & FactTypes[N]['ask'], board: string) =>
  answerFact(query as FactQuery, board) as Asking<FactTypes[N]['answer']>

function* accountNamed(name: string | null): Asking<AdmissionFacts['account']> {
  if (name === null) return null
  const row = yield* first(sql`select ${ACCOUNT.columns} from account where name = ${name}`)
  if (row === null) return null
  const account = ACCOUNT.decode(row)
  if (account.probeRunId === null) return account
  // A probe whose run has ended does not hold back other cards. A claim uses the same rule.
  const open = yield* first(sql`select id from run where id = ${account.probeRunId} and ended_at is null`)
  return open === null ? { ...account, probeRunId: null } : account
}

function* slotsOf(board: string, { machine, agent, account }: Place): Asking<readonly Slot[]> {
  const keys: readonly { kind: SlotKey['kind']; name: string | null }[] = [
    { kind: 'machine', name: machine },
    { kind: 'board', name: board },
    { kind: 'agent', name: agent },
    { kind: 'account', name: account },
  ]
  const named = keys.filter(({ name }) => name !== null)
  const answers = yield* askAll(
    named.map(({ kind, name }) => sql`select ${SLOT.columns} from slot where kind = ${kind} and name = ${name}`),
  )
  return answers.flat().map((row) => SLOT.decode(row))
}
