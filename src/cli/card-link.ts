/** Builds URLs of the dashboard for a person at a terminal. Scripts and runs get no URLs. */
import { readServerFiles } from '../config/server-file.ts'
import type { Invocation } from './invocation.ts'

/** The URL of the server that has the board. Null means that no server runs. */
function dashboardUrl({ options: { server, home } }: Invocation): string | null {
  if (server !== null) return server.url.trim().replace(/\/+$/, '')
  return readServerFiles(home).find(({ isAlive }) => isAlive)?.url ?? null
}

const hasReader = ({ json, insideRun, world }: Invocation): boolean => !json && !insideRun && world.terminal !== null

interface Address {
  readonly board: string
  readonly id: string
}

export const cardPath = ({ board, id }: Address): string => `/b/${encodeURIComponent(board)}/${encodeURIComponent(id)}`

/** The URL of the card in the dashboard. Null means that no server runs, or that no person reads the output. */
export function cardLink(cli: Invocation, card: Address): string | null {
  const url = hasReader(cli) ? dashboardUrl(cli) : null
  return url === null ? null : `${url}${cardPath(card)}`
}
