/** Finds the run and the log file for an input. */
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

export interface LogQuery {
  readonly task: string
  /** The number of an attempt, the id of a run, or the beginning of this id. The default is the latest run. */
  readonly run?: string
  /** Whether to read the log of the supervisor and not of the agent. */
  readonly supervisor?: boolean
}

export interface FoundLog {
  readonly run: Run
  readonly path: string
}

/** A log that does not exist yet, but may exist later. */
export interface PendingLog {
  readonly task: TaskId
  readonly fault: BoardError
}

export async function findLog(store: Store, asked: LogQuery, { home }: { readonly home: string }): Promise<FoundLog> {
  const found = await seekLog(store, asked, { home })
  if ('fault' in found) throw found.fault
  return found
}

/** Looks for the log. Throws an error if the card can never have a log. */
export async function seekLog(
  store: Store,
  { task: typed, run: which, supervisor = false }: LogQuery,
  { home }: { readonly home: string },
): Promise<FoundLog | PendingLog> {
  const { board, id } = await resolveTask(store, typed, { deleted: true })
  const runs = await store.runs(board, id)
  const run = which === undefined ? latestOf(runs) : chooseRun(runs, which)
  if (run === undefined || run.kind === 'manual') {
    const fault = run === undefined ? noRun(id, runs, which) : manualRun(run)
    if (which !== undefined || !(await mayRun(store, board, id))) throw fault
    return { task: id, fault }
  }
  const directory = run.logPath === null ? runDirectory(home, run.id) : runDirectoryAt(dirname(run.logPath))
  const path = supervisor ? directory.supervisorLog : directory.log
  if (await folderExists(dirname(path))) return { run, path }
  const missing = missingLog(run, path)
  if (run.endedAt !== null || !isOnThisMachine(run)) throw missing
  return { task: id, fault: missing }
}

/** The last run of an agent. Runs of people, such as a review, have no log. */
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
      ? `Card ${id} has not run yet, so it has no log.`
      : `Card ${id} has no run ${which ?? ''}. To list its runs: muster runs ${id}`
  return new BoardError('run_not_found', message, { details: { id, run: which ?? null } })
}

/** Why a run has no log on this machine, as a code. The dashboard has a sentence for each code. */
type NoLog = 'manual' | 'elsewhere' | 'not_started' | 'removed'

const notFound = (run: Run, reason: NoLog, message: string): BoardError =>
  new BoardError('run_not_found', message, {
    details: { runId: run.id, machine: run.machine, host: run.identity?.hostname ?? null, reason },
  })

const manualRun = (run: Run): BoardError =>
  notFound(run, 'manual', `Run ${run.id} has no log, because ${run.claimedBy} claimed it by hand.`)

async function mayRun(store: Store, board: string, id: TaskId): Promise<boolean> {
  const task = await store.task(board, id)
  return task !== null && !isSatisfied(task.status)
}

/** Whether the folder of the run exists. The log itself is created later, but both are deleted together. */
const folderExists = (folder: string): Promise<boolean> =>
  access(folder).then(
    () => true,
    () => false,
  )

const isOnThisMachine = ({ machine }: Run): boolean => machine === thisHost().machine.id

function missingLog(run: Run, path: string): BoardError {
  if (!isOnThisMachine(run)) {
    const machine = run.machine ?? 'unknown'
    return notFound(run, 'elsewhere', `Run ${run.id} ran on machine ${machine}. Its log is on that machine: ${path}`)
  }
  return run.endedAt === null
    ? notFound(run, 'not_started', `Run ${run.id} has not started yet, so it has no log.`)
    : notFound(run, 'removed', `The log of run ${run.id} was deleted. muster gc deletes the logs of old runs.`)
}
