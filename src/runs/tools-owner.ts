/**
 * Whose the tools of a run are. Some agents are told of them by a variable, which everything that they start inherits:
 * another agent among that would speak for the card. The first that starts the tools holds them, since an agent does
 * that before it does anything else; whoever comes while it lives gets none.
 */
import { linkSync, renameSync, rmSync } from 'node:fs'
import { readFileSync, writeFileSync } from '../util/guarded-files.ts'
import { linuxProcesses } from '../processes/linux-processes.ts'
import { macProcesses } from '../processes/mac-processes.ts'
import type { ProcessTable } from '../processes/process-table.ts'

const processesHere = (): ProcessTable => (process.platform === 'darwin' ? macProcesses : linuxProcesses)

/** Whether the process `agent`, which has started the tools, may use them. `file` keeps who holds them. */
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
    const holder = readFileSync(file, 'utf8')
    if (holder === own) return true
    if (holder === lineOf(Number.parseInt(holder, 10), processes)) return false
    renameSync(unfinished, file)
    return true
  } finally {
    rmSync(unfinished, { force: true })
  }
}

/** Tells a process from a later one of the same pid. One that has ended is never told. */
function lineOf(pid: number, processes: Pick<ProcessTable, 'read'>): string {
  const found = processes.read(pid)
  return `${pid} ${found === null || found.zombie ? 'gone' : found.startTime}\n`
}
