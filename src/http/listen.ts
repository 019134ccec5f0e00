/** Binds the port. If the default port is taken, uses a free port near it, so that `muster up` still works. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BoardError } from '../core/errors.ts'
import { readServerFiles } from '../config/server-file.ts'
import { DEFAULT_PORT } from '../operations/machine/server-port.ts'
import type { ServeAddress } from '../operations/machine/server-port.ts'
import { ownerOfPort } from '../processes/port-owner.ts'
import { systemReason } from '../util/system-errors.ts'
import { bracketed } from './place.ts'

/** The number of ports to try after the default port. If all of them are taken, any free port is used. */
const NEARBY = 9

export interface Bound {
  readonly port: number
  /** Why the server does not use the default port. Null means that it does, or that the user chose the port. */
  readonly notice: string | null
}

export async function listen(server: Server, { host, port }: ServeAddress, home: string): Promise<Bound> {
  if (port !== null) return bindOrThrow(server, { host, port }, home)
  const own = await bind(server, { host, port: DEFAULT_PORT })
  if (own !== null) return { port: own, notice: null }
  const notice = await takenText({ host, port: DEFAULT_PORT }, home)
  const bound = (await bindNearby(server, host)) ?? (await bindOrThrow(server, { host, port: 0 }, home)).port
  return { port: bound, notice: `${notice} Using port ${bound} instead. To choose one: muster up --port <number>` }
}

interface Address {
  readonly host: string
  readonly port: number
}

async function bindNearby(server: Server, host: string): Promise<number | null> {
  for (let port = DEFAULT_PORT + 1; port <= DEFAULT_PORT + NEARBY; port += 1) {
    const bound = await bind(server, { host, port })
    if (bound !== null) return bound
  }
  return null
}

async function bindOrThrow(server: Server, address: Address, home: string): Promise<Bound> {
  const port = await bind(server, address)
  if (port !== null) return { port, notice: null }
  const message = `${await takenText(address, home)} Choose another: muster up --port <number>`
  throw new BoardError('address_in_use', message, { details: { ...address } })
}

async function takenText({ host, port }: Address, home: string): Promise<string> {
  const owner = ownerOfPort(port)
  const by = owner === null ? 'another program' : `${owner.program} (pid ${owner.pid})`
  if (owner !== null && readServerFiles(home).some(({ pid }) => pid === owner.pid))
    return `Port ${port} is taken by the Muster of this data folder (pid ${owner.pid}).`
  return (await isMuster({ host, port }))
    ? `Port ${port} is taken by Muster with another data folder (${by}).`
    : `Port ${port} is taken by ${by}.`
}

/** Whether the program on this port is Muster. */
async function isMuster({ host, port }: Address): Promise<boolean> {
  try {
    const url = `http://${bracketed(host === '0.0.0.0' || host === '::' ? 'localhost' : host)}:${port}/healthz`
    const response = await fetch(url, { signal: AbortSignal.timeout(ASK_MS), redirect: 'error' })
    const answer = (await response.json()) as { readonly program?: unknown }
    return answer.program === 'muster'
  } catch {
    return false // The program that uses the port does not answer, or uses another protocol, so it is not Muster.
  }
}

const ASK_MS = 1_000

/** Binds a port and returns it. Returns null if another program uses the port. */
async function bind(server: Server, { host, port }: Address): Promise<number | null> {
  const fault = await new Promise<NodeJS.ErrnoException | null>((resolve) => {
    const onError = (error: Error): void => resolve(error)
    server.once('error', onError)
    server.listen({ host, port }, () => {
      server.off('error', onError)
      resolve(null)
    })
  })
  if (fault === null) return (server.address() as AddressInfo).port
  if (fault.code === 'EADDRINUSE') return null
  throw new BoardError('address_unusable', `Cannot listen on ${host}:${port} (${systemReason(fault)}).`, {
    details: { host, port },
    cause: fault,
  })
}
