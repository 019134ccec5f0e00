/** Finds the process that listens on a port of this machine, for an error message. */
import { readdirSync, readlinkSync } from 'node:fs'
import { readFileSync } from '../util/guarded-files.ts'

export interface PortOwner {
  readonly pid: number
  readonly program: string
}

const LISTEN = '0A'

/**
 * The process that listens on the port. Null means that the process belongs to another user, or that the system has no
 * /proc.
 */
export function ownerOfPort(port: number): PortOwner | null {
  try {
    const sockets = new Set(['tcp', 'tcp6'].flatMap((table) => listeningSockets(`/proc/net/${table}`, port)))
    for (const name of readdirSync('/proc')) {
      if (/^\d+$/.test(name) && holdsSocket(name, sockets))
        return { pid: Number(name), program: readFileSync(`/proc/${name}/comm`, 'utf8').trim() }
    }
  } catch {
    // Without the owner, the error message only lacks the name of the program.
  }
  return null
}

function listeningSockets(table: string, port: number): string[] {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  return readFileSync(table, 'utf8')
    .split('\n')
    .map((row) => row.trim().split(/\s+/))
    .filter(([, local = '', , state]) => local.endsWith(`:${hex}`) && state === LISTEN)
    .map((columns) => `socket:[${columns[9]}]`)
}

function holdsSocket(pid: string, sockets: ReadonlySet<string>): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => {
      try {
        return sockets.has(readlinkSync(`/proc/${pid}/fd/${fd}`))
      } catch {
        return false // The descriptor was closed in the meantime.
      }
    })
  } catch {
    return false // The process belongs to another user, or has ended.
  }
}
