/** Which run's output is meant, and where it lies. */
import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BoardError } from '../../core/errors.ts'
import type { TaskId } from '../../core/ids.ts'
import type { Run } from '../../core/run.ts'
import { isSatisfied } from '../../core/status.ts'
import type { Store } from '../../storage/store.ts'
import { thisHost } from '../../processes/identity.ts'
import { runDirectory, runDirectoryAt } from '../../runs/files/run-directory.ts'
import { resolveTask } from '../shared/resolve-task.ts'

export interface AskedLog {
  readonly task: string
  /** An attempt, or a run's id or the beginning of one; the latest run without it. */
  readonly run?: string
  /** What the supervisor itself had to say, instead of the agent. */
  readonly supervisor?: boolean
}

export interface FoundLog {
  readonly run: Run
  readonly path: string
}

/** There is none yet, and there may be one. */
export interface ComingLog {
  readonly task: TaskId
  readonly fault: BoardError
}

export async function findLog(store: Store, asked: AskedLog, { home }: { readonly home: string }): Promise<FoundLog> {
  const found = await seekLog(store, asked, { home })
  if ('fault' in found) throw found.fault
  return found
}

/** Throws where there will be none. */
export async function seekLog(
  store: Store,
  { task: typed, run: which, supervisor = false }: AskedLog,
  { home }: { readonly home: string },
): Promise<FoundLog | ComingLog> {
  const { board, id } = await resolveTask(store, typed, { deleted: true })
  const runs = await store.runs(board, id)
  const run = which === undefined ? latestOf(runs) : chooseRun(runs, which)
  if (run === undefined || run.kind === 'manual') {
    const fault = run === undefined ? noRun(id, runs, which) : ownWork(run)
    if (which !== undefined || !(await mayRun(store, board, id))) throw fault
    return { task: id, fault }
  }
  const directory = run.logPath === null ? runDirectory(home, run.id) : runDirectoryAt(dirname(run.logPath))
  const path = supervisor ? directory.supervisorLog : directory.log
  if (await isThere(dirname(path))) return { run, path }
  const gone = notHere(run, path)
  if (run.endedAt !== null || !isOurs(run)) throw gone
  return { task: id, fault: gone }
}

/** What a person said of it since, in a review say, has no log: the agent's is meant. */
const latestOf = (runs: readonly Run[]): Run | undefined =>
  runs.findLast(({ kind }) => kind !== 'manual') ?? runs.at(-1)

function chooseRun(runs: readonly Run[], which: string): Run | undefined {
  const typed = which.trim().toLowerCase()
  if (/^#?\d+$/.test(typed)) return runs.find(({ attempt }) => attempt === Number(typed.replace('#', '')))
  const found = runs.filter(({ id }) => id.startsWith(typed))
  return found.length === 1 && typed.length > 2 ? found[0] : undefined
}

function noRun(id: string, runs: readonly Run[], which: string | undefined): BoardError {
  const message =
    runs.length === 0
      ? `Card ${id} has not run yet: there is no log.`
      : `Card ${id} has no run ${which ?? ''}: muster runs ${id} lists them.`
  return new BoardError('run_not_found', message, { details: { id, run: which ?? null } })
}

const notFound = (run: Run, message: string): BoardError =>
  new BoardError('run_not_found', message, { details: { runId: run.id, machine: run.machine } })

const ownWork = (run: Run): BoardError => notFound(run, `Run ${run.id} is ${run.claimedBy}'s own work: it has no log.`)

async function mayRun(store: Store, board: string, id: TaskId): Promise<boolean> {
  const task = await store.task(board, id)
  return task !== null && !isSatisfied(task.status)
}

/** The folder of a run is made before its supervisor and goes with all that is in it. Its path is as unique as the run. */
const isThere = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  )

const isOurs = ({ machine }: Run): boolean => machine === thisHost().machine.id

function notHere(run: Run, path: string): BoardError {
  if (!isOurs(run))
    return notFound(run, `Run ${run.id} is of machine ${run.machine ?? 'unknown'}: its log is there, at ${path}.`)
  return notFound(
    run,
    run.endedAt === null
      ? `Run ${run.id} has not started yet: there is no log.`
      : `The log of run ${run.id} is gone: muster gc removes those of runs that ended long ago.`,
  )
}
