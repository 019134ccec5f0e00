/** Checks the address of a server. */
import type { ServerChoice } from '../../config/load.ts'
import { BoardError } from '../../core/errors.ts'
import { oneLine } from '../output/escape.ts'

interface ServerUrl {
  readonly url: string
  readonly warning: string | null
}

export function requireServerUrl({ url: typed, from }: Pick<ServerChoice, 'url' | 'from'>): ServerUrl {
  const found = URL.canParse(typed.trim()) ? new URL(typed.trim()) : null
  if (found === null || !/^https?:$/.test(found.protocol))
    throw badUrl(from, `"${oneLine(typed)}" is not the address of a server. Use one such as http://127.0.0.1:6878.`)
  if (found.username !== '' || found.password !== '')
    throw badUrl(from, 'leave the password out of the address, and set MUSTER_API_TOKEN instead.')
  const url = `${found.origin}${found.pathname.replace(/\/+$/, '')}`
  const isOpen = found.protocol === 'http:' && !isLoopback(found.hostname)
  return { url, warning: isOpen ? `Warning: ${url} is not encrypted. Other computers can read your token.` : null }
}

const isLoopback = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127\.[\d.]+$/.test(host)

const badUrl = (from: string, why: string): BoardError =>
  new BoardError('invalid_input', `${from}: ${why}`, { details: { usage: 'bad_value' } })
