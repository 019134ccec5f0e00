/** Questions about one card that take several statements: how it stands, and what was done before it. */
import type { RecentWork } from '../core/briefing/briefing-input.ts'
import type { FactName, FactQuery, FactTypes } from '../core/facts.ts'
import type { TaskId } from '../core/ids.ts'
import type { Run } from '../core/run.ts'
import type { Slot, SlotKey } from '../core/slot.ts'
import type { Task } from '../core/task.ts'
import { answer, openRunsOf } from './queries/facts.ts'
import { lastSummaries, parentIdsOf, recentWork, storedPaths } from './queries/history.ts'
import { tasksById } from './queries/tasks.ts'
import { ACCOUNT, RUN, SLOT, TASK } from './rows.ts'
import { EMPTY, chunks, sql } from './sql.ts'
import type { HandOff, Standing } from './store.ts'
import { all, first } from './tx.ts'
import type { Row, Tx } from './tx.ts'

export function* cardsById(ids: readonly TaskId[]): Tx<readonly Task[]> {
  const tasks: Task[] = []
  for (const some of chunks([...new Set(ids)].sort()))
    for (const row of yield* all(tasksById(some))) tasks.push(TASK.decode(row))
  return tasks
}

export function* handOffsTo(board: string, child: TaskId): Tx<readonly HandOff[]> {
  const parents = yield* all(parentIdsOf(board, child))
  const handOffs: HandOff[] = []
  for (const ids of chunks(parents.map((row) => row.parent_id as TaskId))) {
    const tasks = yield* cardsById(ids)
    const summaries = new Map((yield* all(lastSummaries(board, ids))).map((row) => [row.task_id, row.summary]))
    const files = yield* all(storedPaths(board, ids))
    for (const task of tasks) {
      const summary = (summaries.get(task.id) ?? null) as string | null
      handOffs.push({ task, summary, storedPaths: pathsOf(files, task.id) })
    }
  }
  return handOffs
}

export function* workOf(
  board: string,
  agent: string,
  options: { readonly except: TaskId; readonly limit: number },
): Tx<readonly RecentWork[]> {
  return (yield* all(recentWork(board, agent, options))).map((row) => ({
    taskId: row.task_id as TaskId,
    title: String(row.title),
    summary: row.summary as string | null,
    endedAt: Number(row.ended_at),
  }))
}

const pathsOf = (files: readonly Row[], id: TaskId): readonly string[] =>
  files.filter((row) => row.task_id === id).map((row) => String(row.stored_path))

type Place = Pick<Run, 'machine' | 'agent' | 'account'>

export function* standingOf(
  { board, id, workspace }: Pick<Task, 'board' | 'id' | 'workspace'>,
  place: Place,
): Tx<Standing> {
  const path = workspace.kind === 'dir' ? (workspace.path ?? '') : ''
  const [run = null] = yield* all(openRunsOf(board, [id], EMPTY))
  return {
    openParents: yield* cardsById(yield* ask({ fact: 'open_parents', child: id }, board)),
    openRuns: yield* ask({ fact: 'open_runs', ...place }, board),
    directoryUser: yield* ask({ fact: 'directory_user', path, except: id }, board),
    account: yield* accountNamed(place.account),
    slots: yield* slotsOf(board, place),
    run: run === null ? null : RUN.decode(run),
  }
}

/** The answer has the type of its question. */
const ask = <N extends FactName>(query: { readonly fact: N } & FactTypes[N]['ask'], board: string) =>
  answer(query as FactQuery, board) as Tx<FactTypes[N]['answer']>

function* accountNamed(name: string | null): Tx<Standing['account']> {
  if (name === null) return null
  const row = yield* first(sql`select ${ACCOUNT.columns} from account where name = ${name}`)
  if (row === null) return null
  const account = ACCOUNT.decode(row)
  if (account.probeRunId === null) return account
  // As a claim sees it: a probe that is over and told nothing holds back nobody.
  const open = yield* first(sql`select id from run where id = ${account.probeRunId} and ended_at is null`)
  return open === null ? { ...account, probeRunId: null } : account
}

function* slotsOf(board: string, { machine, agent, account }: Place): Tx<readonly Slot[]> {
  const keys: readonly { kind: SlotKey['kind']; name: string | null }[] = [
    { kind: 'machine', name: machine },
    { kind: 'board', name: board },
    { kind: 'agent', name: agent },
    { kind: 'account', name: account },
  ]
  const rows: Row[] = []
  for (const { kind, name } of keys)
    if (name !== null)
      rows.push(...(yield* all(sql`select ${SLOT.columns} from slot where kind = ${kind} and name = ${name}`)))
  return rows.map((row) => SLOT.decode(row))
}
