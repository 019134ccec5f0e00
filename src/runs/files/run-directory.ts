/** The files of one run, and how they are written: whole, or not at all. */
import { closeSync, statSync, utimesSync, watch } from 'node:fs'
import { join } from 'node:path'
import { openSync } from '../../util/guarded-files.ts'
import { replaceFile } from '../../util/replace-file.ts'
import { inHome, makePrivateFolder } from '../../config/home.ts'
import { beforeWrite } from '../../config/system.ts'
import type { RunId } from '../../core/ids.ts'

export interface RunDirectory {
  readonly path: string
  /** What the supervisor was started with, its token included. */
  readonly ticket: string
  /** The process that was started as the supervisor (supervisor/start/started-supervisor.ts). */
  readonly supervisor: string
  /** Written by the wrapper: who it is, and how the agent ended. */
  readonly pid: string
  readonly exit: string
  readonly wrapper: string
  /** Ends the agent when the beat stops. */
  readonly watchdog: string
  readonly beat: string
  /** The mark that the agent was ended, by whomever of ours: its exit status is not its own. */
  readonly cutOff: string
  /** What the worker said of its run, before the store had it. */
  readonly verdict: string
  /** Where the turn works, and the result file that lay there before it. */
  readonly turn: string
  /** In which workspace the setup of its agent was done, and which. */
  readonly setUp: string
  /** The result file of its workspace, once it was taken for a verdict. */
  readonly result: string
  /** The commit that its worktree was on when the run began. */
  readonly head: string
  readonly body: string
  /** The folder with the files that the agent may read. The files beside it hold the token and the nonce of the run. */
  readonly forAgent: string
  /** The whole body of the card. */
  readonly bodyText: string
  /** All answers, if the briefing cuts them. */
  readonly answersText: string
  /** The session that its agent had, for a later run of the card (supervisor/turns/session-file.ts). */
  readonly session: string
  /** What the agent is told. */
  readonly briefing: string
  /** The board's tools for this run, its nonce included. */
  readonly mcp: string
  /** Whose they are: which process has started them (runs/tools-owner.ts). */
  readonly toolsOwner: string
  /** Files of others that its program writes to: what was in them, until it is put back (harnesses/keep-files.ts). */
  readonly kept: string
  readonly parents: string
  /** What the agent printed. */
  readonly log: string
  /** What the supervisor itself had to say. */
  readonly supervisorLog: string
  readonly nudge: string
}

/** Where it is kept who holds the tools that this file tells of. */
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

/** Not for files that must survive a power failure: a run ends with its machine, and so does the use of these. */
export async function writeWhole(path: string, content: string, mode = 0o600): Promise<void> {
  beforeWrite(path)
  await replaceFile(path, content, { mode })
}

/** For files that are read after a power failure. */
export async function writeDurably(path: string, content: string): Promise<void> {
  beforeWrite(path)
  await replaceFile(path, content, { flush: true })
}

/** Tells the supervisor of a run on this machine to look at its row now. It looks by itself too, only later. */
export function nudgeRun(home: string, run: RunId): void {
  const now = Date.now() / 1000
  try {
    utimesSync(runDirectory(home, run).nudge, now, now)
  } catch {
    // The run is on another machine, or its files are gone.
  }
}

/** When the run was last nudged; null: never. Only compare it with an earlier value, not with a clock. */
export const lastNudge = ({ nudge }: Pick<RunDirectory, 'nudge'>): number | null =>
  statSync(nudge, { throwIfNoEntry: false })?.mtimeMs ?? null

/** Without the file nobody can nudge, and the supervisor looks by itself. */
export function onNudge({ nudge }: Pick<RunDirectory, 'nudge'>, callback: () => void): { stop(): void } {
  try {
    const watcher = watch(nudge, { persistent: false }, callback)
    watcher.on('error', () => watcher.close())
    return { stop: () => watcher.close() }
  } catch {
    return { stop: () => {} }
  }
}
