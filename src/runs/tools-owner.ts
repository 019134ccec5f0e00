/**
 * Gives the tools of a run to one process. Some agents find the tools through a variable, and programs that these
 * agents start inherit the variable. A second agent among these programs could report for the card. The run's own agent
 * starts the tools first, so the first process owns them while it is alive.
 */
import { linkSync, renameSync, rmSync } from 'node:fs'
import { readFileSync, writeFileSync } from '../util/guarded-files.ts'
import { linuxProcesses } from '../processes/linux-processes.ts'
import { macProcesses } from '../processes/mac-processes.ts'
import type { ProcessTable } from '../processes/process-table.ts'

const processesHere = (): ProcessTable => (process.platform === 'darwin' ? macProcesses : linuxProcesses)

/** Whether the process `agent` may use the tools that it started. The `file` names the owner of the tools. */
export function claimTools(
  file: string,
  agent: number = process.ppid,
  processes: Pick<ProcessTable, 'read'> = processesHere(),
): boolean {
  const own = lineOf(agent, processes)
  const unfinished = `${file}.${process.pid}.tmp`
  writeFileSync(unfinished, own, { mode: 0o600 })
  try {
    linkSync(unfinished, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    const owner = readFileSync(file, 'utf8')
    if (owner === own) return true
    if (owner === lineOf(Number.parseInt(owner, 10), processes)) return false
    renameSync(unfinished, file)
    return true
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Identifies a process. The start time distinguishes the process from a later process with the same pid. */
function lineOf(pid: number, processes: Pick<ProcessTable, 'read'>): string {
  const found = processes.read(pid)
  return `${pid} ${found === null || found.zombie ? 'gone' : found.startTime}\n`
}
