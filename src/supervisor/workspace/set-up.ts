/** Runs the commands that prepare a new workspace. Their output comes before the agent's output in the log. */
import { stat } from 'node:fs/promises'
import { appendFile } from '../../util/guarded-files.ts'
import { DEFAULT_SETTINGS } from '../../core/board.ts'
import { sha256 } from '../../util/sha256.ts'
import { WorkspaceFault } from '../../workspaces/workspace-fault.ts'
import { runCheckCommand } from '../checks/command-check.ts'
import { checkEnvironment } from '../checks/environment.ts'
import { SETUP_ENDS } from '../../runs/log/log-tail.ts'
import { runDirectory, writeWhole } from '../../runs/files/run-directory.ts'
import { readIfExists } from '../../util/replace-file.ts'
import type { SupervisedRun } from '../supervised-run.ts'
import { retryUntilAvailable } from '../retry.ts'

/**
 * Runs the setup commands of the agent's file once per workspace. A retry in the same workspace skips the setup
 * commands.
 */
export async function setUpForAgent(owned: SupervisedRun, workspace: string, signal: AbortSignal): Promise<void> {
  const { store, ticket, directory } = owned
  const mark = await setUpMark(workspace, ticket.setup)
  if (await wasDone(owned, mark, signal)) return writeWhole(directory.setUp, mark)
  const board = await retryUntilAvailable(() => store.board(ticket.board), { signal })
  const { worktreeSetupMs: timeoutMs } = board?.settings ?? DEFAULT_SETTINGS
  await runSetup(owned, ticket.setup, { workspace, timeoutMs, signal, of: `agent ${ticket.agent}` })
  await writeWhole(directory.setUp, mark)
}

/**
 * Returns a mark that identifies this setup in this folder. It contains the inode and the creation time, so a later
 * folder with the same name is set up again.
 */
async function setUpMark(workspace: string, setup: readonly string[]): Promise<string> {
  const { ino, birthtimeMs } = await stat(workspace)
  return `${sha256(JSON.stringify([workspace, ino, birthtimeMs, setup]))}\n`
}

/**
 * Whether another run of the card did this setup on this machine. If the files of that run are gone, the setup runs
 * again.
 */
async function wasDone({ store, ticket }: SupervisedRun, mark: string, signal: AbortSignal): Promise<boolean> {
  const runs = await retryUntilAvailable(() => store.runs(ticket.board, ticket.task), { signal })
  for (const { id } of runs) if ((await readIfExists(runDirectory(ticket.home, id).setUp)) === mark) return true
  return false
}

const OUTPUT_CHARACTERS = 1_000

interface SetupPlace {
  readonly workspace: string
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** The owner of the setup commands, such as `agent writer`, for error messages. */
  readonly of: string
}

/** Runs the setup commands in order. Rejects if a command fails. */
export async function runSetup(owned: SupervisedRun, lines: readonly string[], place: SetupPlace): Promise<void> {
  for (const line of lines) await runOne(owned, line, place)
  await appendFile(owned.directory.log, SETUP_ENDS, { mode: 0o600 })
}

async function runOne(owned: SupervisedRun, line: string, place: SetupPlace): Promise<void> {
  const { task, ticket, fence, env, host, directory } = owned
  const { workspace, timeoutMs, signal, of } = place
  const run = fence.runId
  const result = await runCheckCommand(line, {
    workspace,
    run,
    env: checkEnvironment(env, { task, workspace, run, passed: ticket.passEnvironment }),
    timeoutMs,
    processes: host.processes,
    timeouts: ticket,
    signal,
  })
  await appendFile(directory.log, `$ ${line}\n${result.output}`.replace(/\n*$/, '\n'), { mode: 0o600 })
  if (result.ok) return
  const tail = result.output.trim().slice(-OUTPUT_CHARACTERS)
  throw new WorkspaceFault(
    `The setup of ${of} failed: ${line} (${result.fault ?? '?'})${tail === '' ? '' : `: ${tail}`}`,
  )
}
