/**
 * Finds the runs of a data folder whose supervisor or agent is alive on this machine. The store is not needed for this.
 */
import { readdir } from 'node:fs/promises'
import { inHome } from '../../config/home.ts'
import { isRunId } from '../../core/ids.ts'
import type { RunId } from '../../core/ids.ts'
import type { Identity } from '../../core/run.ts'
import { hashToken } from '../../util/mint.ts'
import { groupMembers } from '../../processes/group.ts'
import type { GroupKey } from '../../processes/group.ts'
import { isAlive } from '../../processes/identity.ts'
import type { Host } from '../../processes/identity.ts'
import { runDirectory } from '../../runs/files/run-directory.ts'
import { readIfExists } from '../../util/replace-file.ts'
import type { RunDirectory } from '../../runs/files/run-directory.ts'
import { readSupervisor } from './started-supervisor.ts'
import { readTicket } from './ticket.ts'
import type { Ticket } from './ticket.ts'
import { readLeader } from '../../runs/wrapper.ts'

export interface LiveRun {
  readonly id: RunId
  readonly directory: RunDirectory
  /** The ticket of the run. Null means that the ticket cannot be read. */
  readonly ticket: Ticket | null
  /** The process of the supervisor. Null means that only processes of the agent are alive. */
  readonly supervisor: Identity | null
  /** Identifies the processes of the agent. */
  readonly key: GroupKey
}

export async function findLiveRuns(home: string, host: Host): Promise<readonly LiveRun[]> {
  const names = await readdir(inHome.runs(home)).catch((): string[] => [])
  const live: LiveRun[] = []
  for (const id of names.filter(isRunId)) {
    const found = await lookAt(runDirectory(home, id), id, host)
    if (found !== null) live.push(found)
  }
  return live
}

async function lookAt(directory: RunDirectory, id: RunId, host: Host): Promise<LiveRun | null> {
  const noted = readSupervisor(directory)
  const supervisor = noted !== null && isAlive(host, noted) ? noted : null
  // The wrapper writes this file when the agent ends. The check comes first, because most runs of a data folder have
  // ended.
  if (supervisor === null && (await readIfExists(directory.exit)) !== null) return null
  const ticket = readTicket(directory)
  const key = { run: id, leader: await leaderOf(directory, { noted, ticket, host }) }
  const isLive = supervisor !== null || groupMembers(host.processes, key).length > 0
  return isLive ? { id, directory, ticket, supervisor, key } : null
}

/**
 * The process of the wrapper. This is null for a wrapper of another boot or container, because its pid is not valid
 * here.
 */
async function leaderOf(
  directory: RunDirectory,
  { noted, ticket, host }: { noted: Identity | null; ticket: Ticket | null; host: Host },
): Promise<GroupKey['leader']> {
  const { bootId, pidNamespace } = host.machine
  if (ticket === null || noted?.bootId !== bootId || noted.pidNamespace !== pidNamespace) return null
  return readLeader(directory, { runId: ticket.run, tokenHash: hashToken(ticket.token) })
}
