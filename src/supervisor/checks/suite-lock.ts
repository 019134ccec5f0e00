/**
 * One suite at a time in a workspace, whoever runs it: the supervisor of a card, that of another card on the same
 * directory, or a person. Who wants to run one puts up a sign with its name, and goes ahead if it sees no other; of two
 * that do so at once, each sees the other's and takes its own down. The sign of a process that is gone counts for
 * nothing, so a crash leaves no lock behind.
 */
import { readdir, realpath, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeFile } from '../../util/guarded-files.ts'
import { inHome, makePrivateFolder } from '../../config/home.ts'
import { newRunId } from '../../util/mint.ts'
import { sha256 } from '../../util/sha256.ts'
import { ownIdentity } from '../../processes/identity.ts'
import type { Host } from '../../processes/identity.ts'

export interface SuitePlace {
  readonly home: string
  readonly workspace: string
  readonly host: Host
  readonly signal: AbortSignal
}

const FIRST_WAIT_MS = 20
const LONGEST_WAIT_MS = 250

/** Rejects with the signal's reason when it is aborted before the suite's turn has come. */
export async function withSuite<T>(place: SuitePlace, work: () => Promise<T>): Promise<T> {
  const { home, host, signal } = place
  const folder = inHome.locks(home)
  await makePrivateFolder(folder)
  const suite = await suiteOf(place.workspace)
  const sign = join(folder, signOf(suite, host))
  for (let waitMs = FIRST_WAIT_MS; !(await goesAhead(sign, { folder, suite, host }));) {
    signal.throwIfAborted()
    await sleep(waitMs * (0.5 + Math.random()), undefined, { signal }).catch(() => signal.throwIfAborted())
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
  }
  try {
    return await work()
  } finally {
    await rm(sign, { force: true })
  }
}

interface Gate {
  readonly folder: string
  readonly suite: string
  readonly host: Host
}

/** Looked at before, too: who waits puts up no sign that others would have to wait for. */
async function goesAhead(sign: string, gate: Gate): Promise<boolean> {
  if (await isTaken(sign, gate)) return false
  await writeFile(sign, '', { flag: 'wx', mode: 0o600 })
  if (!(await isTaken(sign, gate))) return true
  await rm(sign, { force: true })
  return false
}

async function isTaken(own: string, { folder, suite, host }: Gate): Promise<boolean> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    if (path === own || !name.startsWith(`${suite}.`)) continue
    if (hangsThere(name, host)) return true
    // Nobody else's sign ever has this name.
    await rm(path, { force: true })
  }
  return false
}

/** By whatever way it is reached. */
const suiteOf = async (workspace: string): Promise<string> =>
  `checks-${sha256(await realpath(workspace).catch(() => workspace)).slice(0, 32)}`

/** Which system it is that has such a process: after a reboot, or in another container, a number is another's. */
const systemOf = ({ machine }: Host): string => sha256(`${machine.id} ${machine.bootId}`).slice(0, 16)

const encoded = (text: string): string => Buffer.from(text).toString('hex')

function signOf(suite: string, host: Host): string {
  const { pid, startTime } = ownIdentity(host)
  return [suite, systemOf(host), pid, encoded(startTime), newRunId()].join('.')
}

function hangsThere(sign: string, host: Host): boolean {
  const [, system, pid, startTime] = sign.split('.')
  const found = system === systemOf(host) ? host.processes.read(Number(pid)) : null
  return found !== null && !found.zombie && encoded(found.startTime) === startTime
}
