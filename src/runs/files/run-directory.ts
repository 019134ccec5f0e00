/** The files of one run. Each file is written atomically. */
import { closeSync, statSync, utimesSync, watch } from 'node:fs'
import { join } from 'node:path'
import { openSync } from '../../util/guarded-files.ts'
import { replaceFile } from '../../util/replace-file.ts'
import { inHome, makePrivateFolder } from '../../config/home.ts'
import { beforeWrite } from '../../config/system.ts'
import type { RunId } from '../../core/ids.ts'

export interface RunDirectory {
  readonly path: string
  /** The input of the supervisor, with the token of the run (supervisor/start/ticket.ts). */
  readonly ticket: string
  /** The identity of the supervisor's process (supervisor/start/started-supervisor.ts). */
  readonly supervisor: string
  /** The pid of the wrapper process, and the exit status of the agent. The wrapper writes both files. */
  readonly pid: string
  readonly exit: string
  readonly wrapper: string
  /** The script that ends the agent if the file `beat` is no longer written. */
  readonly watchdog: string
  readonly beat: string
  /** This file exists if Muster ended the agent. The exit status is then not the agent's own. */
  readonly cutOff: string
  /** The worker's verdict. The supervisor writes it before the store records the verdict. */
  readonly verdict: string
  /** The workspace of the turn, and the state of the result file before the turn. */
  readonly turn: string
  /** A hash of the setup commands that ran, and of their workspace. */
  readonly setUp: string
  /** The path to which the result file is moved after it is recorded as a verdict. */
  readonly result: string
  /** The commit of the worktree when the run began. */
  readonly head: string
  readonly body: string
  /**
   * The folder that the agent may read. The run directory outside this folder contains the token and the nonce of the
   * run.
   */
  readonly forAgent: string
  /** The whole body of the card. */
  readonly bodyText: string
  /** The whole texts of all answers, if the briefing shortens them. */
  readonly answersText: string
  /** The session of the agent, for a later run of the card (supervisor/turns/session-file.ts). */
  readonly session: string
  /** The prompt of the agent. */
  readonly briefing: string
  /** The MCP configuration with the board's tools and the nonce of this run. */
  readonly mcp: string
  /** The process that owns the tools (runs/tools-owner.ts). */
  readonly toolsOwner: string
  /**
   * The original content of user files that the CLI changes. This content is kept until the files are restored
   * (harnesses/restore-changed-files.ts).
   */
  readonly kept: string
  readonly parents: string
  /** The agent's output. */
  readonly log: string
  /** The supervisor's own output. */
  readonly supervisorLog: string
  readonly nudge: string
}

/** The file that names the process that owns the tools. This file is in the folder of the MCP configuration. */
export const toolsOwnerFile = (mcp: string): string => `${mcp}.holder`

export const runDirectoryAt = (path: string): RunDirectory => ({
  path,
  ticket: join(path, 'ticket.json'),
  supervisor: join(path, 'supervisor'),
  pid: join(path, 'pid'),
  exit: join(path, 'exit'),
  head: join(path, 'head'),
  wrapper: join(path, 'wrapper.sh'),
  watchdog: join(path, 'watchdog.sh'),
  beat: join(path, 'beat'),
  cutOff: join(path, 'cut-off'),
  verdict: join(path, 'verdict'),
  turn: join(path, 'turn'),
  setUp: join(path, 'set-up'),
  result: join(path, 'result.json'),
  body: join(path, 'body.sh'),
  forAgent: join(path, 'agent'),
  bodyText: join(path, 'agent', 'body.md'),
  answersText: join(path, 'agent', 'answers.md'),
  session: join(path, 'session.json'),
  briefing: join(path, 'briefing.md'),
  mcp: join(path, 'mcp.json'),
  toolsOwner: toolsOwnerFile(join(path, 'mcp.json')),
  kept: join(path, 'kept.json'),
  parents: join(path, 'parents.json'),
  log: join(path, 'log'),
  supervisorLog: join(path, 'supervisor.log'),
  nudge: join(path, 'nudge'),
})

export const runDirectory = (home: string, run: RunId): RunDirectory => runDirectoryAt(join(inHome.runs(home), run))

export async function makeRunDirectory(home: string, run: RunId): Promise<RunDirectory> {
  const directory = runDirectory(home, run)
  await makePrivateFolder(directory.path)
  await makePrivateFolder(directory.forAgent)
  closeSync(openSync(directory.nudge, 'a', 0o600))
  return directory
}

/**
 * Writes a file that may be lost in a power failure, because the run of the file does not survive a power failure
 * either.
 */
export async function writeWhole(path: string, content: string, mode = 0o600): Promise<void> {
  beforeWrite(path)
  await replaceFile(path, content, { mode })
}

/** Writes a file that must survive a power failure. */
export async function writeDurably(path: string, content: string): Promise<void> {
  beforeWrite(path)
  await replaceFile(path, content, { flush: true })
}

/**
 * Makes the supervisor of a run on this machine read the run from the store at once, and not only at its next renewal.
 */
export function nudgeRun(home: string, run: RunId): void {
  const now = Date.now() / 1000
  try {
    utimesSync(runDirectory(home, run).nudge, now, now)
  } catch {
    // The run is on another machine, or its files are gone.
  }
}

/**
 * The time of the last nudge. Null means that the run was never nudged. Compare this time only with an earlier value,
 * because file times may come from another clock.
 */
export const lastNudge = ({ nudge }: Pick<RunDirectory, 'nudge'>): number | null =>
  statSync(nudge, { throwIfNoEntry: false })?.mtimeMs ?? null

/**
 * Calls back after each nudge. If the nudge file cannot be watched, the supervisor notices changes only at its next
 * renewal.
 */
export function onNudge({ nudge }: Pick<RunDirectory, 'nudge'>, callback: () => void): { stop(): void } {
  try {
    const watcher = watch(nudge, { persistent: false }, callback)
    watcher.on('error', () => watcher.close())
    return { stop: () => watcher.close() }
  } catch {
    return { stop: () => {} }
  }
}
