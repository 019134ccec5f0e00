/** Which run's output is meant, and where it lies. */
import { access } from 'node:fs/promises'
import { dirname } from 'node:path'
import { BoardError } from '../core/errors.ts'
import type { Run } from '../core/run.ts'
import type { Store } from '../storage/store.ts'
import { thisHost } from '../workers/identity.ts'
import { runDirectory, runDirectoryAt } from '../workers/run-directory.ts'
import { resolveTask } from './resolve-task.ts'

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

export async function findLog(
  store: Store,
  { task: typed, run: which, supervisor = false }: AskedLog,
  { home }: { readonly home: string },
): Promise<FoundLog> {
  const { board, id } = await resolveTask(store, typed, { deleted: true })
  const runs = await store.runs(board, id)
  const run = which === undefined ? latestOf(runs) : chooseRun(runs, which)
  if (run === undefined) throw noRun(id, runs, which)
  if (run.kind === 'manual') throw notFound(run, `Run ${run.id} is ${run.claimedBy}'s own work: it has no log.`)
  const directory = run.logPath === null ? runDirectory(home, run.id) : runDirectoryAt(dirname(run.logPath))
  const path = supervisor ? directory.supervisorLog : directory.log
  await requireHere(run, path)
  return { run, path }
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

/** The folder of a run is made before its supervisor and goes with all that is in it. Its path is as unique as the run. */
async function requireHere(run: Run, path: string): Promise<void> {
  const there = await access(dirname(path)).then(
    () => true,
    () => false,
  )
  if (there) return
  if (run.machine !== thisHost().machine.id)
    throw notFound(run, `Run ${run.id} is of machine ${run.machine ?? 'unknown'}: its log is there, at ${path}.`)
  throw notFound(
    run,
    run.endedAt === null
      ? `Run ${run.id} has not started yet: there is no log.`
      : `The log of run ${run.id} is gone: muster gc removes those of runs that ended long ago.`,
  )
}
