/**
 * Ends git processes that continue after their Muster process was killed. Each git process of a landing has a mark on
 * its command line. So the process that recovers the landing can find and end it.
 */
import { readdir } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { readIfExists } from '../../util/replace-file.ts'
import { usersGit } from './git.ts'
import type { Git } from './git.ts'
import { runProgram } from '../../processes/run-program.ts'
import { WorkspaceBusy } from '../workspace-fault.ts'

const landingMark = (common: string): string => `muster.landing=${common}`

/** Git for landings in the repository with this common directory. */
export const landingGit = (home: string, common: string): Git => usersGit(home, {}, [landingMark(common)])

const SIGNALS = ['SIGTERM', 'SIGKILL'] as const
const WAIT_MS = 20
const PATIENCE_MS = 2_000

/**
 * Ends the marked git processes. The caller must hold the lock of the repository. So every marked process belongs to a
 * landing that was killed.
 */
export async function endOrphans(common: string): Promise<void> {
  let pids: readonly number[] = []
  for (const signal of SIGNALS) {
    const deadline = performance.now() + PATIENCE_MS
    pids = await findMarked(landingMark(common))
    for (const pid of pids) send(pid, signal)
    while (pids.length > 0 && performance.now() < deadline) {
      await sleep(WAIT_MS)
      pids = await findMarked(landingMark(common))
    }
    if (pids.length === 0) return
  }
  throw new WorkspaceBusy(
    `A git process (pid ${pids.join(', ')}) of an interrupted landing does not exit. End it, then run the command again.`,
  )
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // The process has ended, or belongs to another user.
  }
}

async function findMarked(mark: string): Promise<readonly number[]> {
  if (process.platform === 'linux') return findInProc(mark)
  const { stdout } = await runProgram('ps', ['-axww', '-o', 'pid=,command='], { cwd: '/' })
  const lines = stdout.toString().split('\n')
  return lines.filter((line) => line.includes(` ${mark} `)).map((line) => Number.parseInt(line, 10))
}

async function findInProc(mark: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number)
  const lines = await Promise.all(pids.map((pid) => readIfExists(`/proc/${pid}/cmdline`)))
  return pids.filter((_, at) => lines[at]?.split('\0').includes(mark))
}
