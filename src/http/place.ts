/** The server's URL, and the host names by which browsers may reach it. */
import os from 'node:os'

export interface Place {
  readonly scheme: 'http' | 'https'
  readonly port: number
  /** The address of the server for people on this machine, without a path. */
  readonly url: string
  /** The names that the header Host may have, in lower case. */
  readonly names: ReadonlySet<string>
  /**
   * Whether any IP address is allowed in the Host header. This is safe, because an attacker can rebind only DNS names.
   */
  readonly anyAddress: boolean
}

const LOOPBACK = new Set(['127.0.0.1', 'localhost', '::1', '[::1]'])

export const isLoopback = (host: string): boolean => LOOPBACK.has(host.toLowerCase())

/** A host as it appears in a URL. An IPv6 address has brackets. */
export const bracketed = (host: string): string => (host.includes(':') && !host.startsWith('[') ? `[${host}]` : host)

export function placeOf({ scheme, host, port }: Pick<Place, 'scheme' | 'port'> & { readonly host: string }): Place {
  const own = ['127.0.0.1', 'localhost', '[::1]', bracketed(host.toLowerCase())]
  const local = isLoopback(host)
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : bracketed(host)
  return {
    scheme,
    port,
    url: `${scheme}://${shown}:${port}`,
    names: new Set(local ? own : [...own, os.hostname().toLowerCase()]),
    anyAddress: !local,
  }
}

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::\d{1,5})?$/
const ADDRESS = /^(\[.*\]|\d{1,3}(\.\d{1,3}){3})$/

/**
 * Whether the header names this server. The port is not compared, because an SSH tunnel or a container may use another
 * port.
 */
export function isOwnHost({ names, anyAddress }: Place, header: string | undefined): boolean {
  const name = HOST.exec(header?.toLowerCase() ?? '')?.[1]
  return name !== undefined && (names.has(name) || (anyAddress && ADDRESS.test(name)))
}

export const isOwnOrigin = ({ scheme }: Place, origin: string, host: string): boolean =>
  origin.toLowerCase() === `${scheme}://${host.toLowerCase()}`
