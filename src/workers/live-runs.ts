/** Finds the runs of a data folder whose supervisor or agent is alive on this machine, without the store. */
import { readdir } from 'node:fs/promises'
import { inHome } from '../config/home.ts'
import { isRunId } from '../core/ids.ts'
import type { RunId } from '../core/ids.ts'
import { hashToken } from '../util/mint.ts'
import { isAlive } from './identity.ts'
import type { Host } from './identity.ts'
import { runDirectory } from './run-directory.ts'
import type { RunDirectory } from './run-directory.ts'
import { readSupervisor } from './started-supervisor.ts'
import { readTicket } from './ticket.ts'
import { readLeader } from './wrapper.ts'

export async function findLiveRuns(home: string, host: Host): Promise<readonly RunId[]> {
  const names = await readdir(inHome.runs(home)).catch((): string[] => [])
  const live: RunId[] = []
  for (const id of names.filter(isRunId)) if (await isLive(runDirectory(home, id), host)) live.push(id)
  return live
}

async function isLive(directory: RunDirectory, host: Host): Promise<boolean> {
  const supervisor = readSupervisor(directory)
  if (supervisor !== null && isAlive(host, supervisor)) return true
  const ticket = readTicket(directory)
  if (ticket === null) return false
  const leader = await readLeader(directory, { runId: ticket.run, tokenHash: hashToken(ticket.token) })
  const found = leader === null ? null : host.processes.read(leader.pid)
  return found !== null && !found.zombie && found.startTime === leader?.startTime
}
