/** The URLs of the app. Everything that a person sees has a URL, so Back, Forward and reload work. */

/** The patterns of the URLs for the router. src/http/site/routes.ts serves the page for the same URLs. */
export const ROUTES = {
  home: '/',
  signIn: '/sign-in',
  allBoards: '/all',
  board: '/b/:board',
  card: '/b/:board/:card',
  graph: '/graph/:board',
  inbox: '/needs-you',
  agents: '/agents',
  agent: '/agents/:agent',
  activity: '/activity',
  health: '/health',
  settings: '/settings',
  settingsPart: '/settings/:part',
  /** The page with all parts of the interface, which exists only in development. */
  parts: '/ui',
} as const

const part = encodeURIComponent

export const boardPath = (board: string): string => `/b/${part(board)}`
/** Which cards wait for which: around a card, or around the open cards of the board. */
export const graphPath = (board: string, card: string | null = null): string =>
  `/graph/${part(board)}${card === null ? '' : `?card=${part(card)}`}`
export const cardPath = (board: string, card: string): string => `/b/${part(board)}/${part(card)}`
export const agentPath = (agent: string): string => `/agents/${part(agent)}`
/** Returns the URL of the page Needs you with this item in focus. */
export const inboxItemPath = (item: string): string => `${ROUTES.inbox}?item=${part(item)}`
export const settingsPath = (name: string): string => `/settings/${part(name)}`
/** Returns the URL of the cards of all boards that wait for an agent. */
export const waitingPath = (agent: string): string => `${ROUTES.allBoards}?assignee=${part(agent)}`
/** Returns the URL of the activity with filters: `activityPath({ by: 'agent:claude' })`. */
export function activityPath(filters: Readonly<Record<string, string>> = {}): string {
  const query = String(new URLSearchParams(filters))
  return query === '' ? ROUTES.activity : `${ROUTES.activity}?${query}`
}

/** The board of a URL; null for all boards, and undefined for another screen. */
export function boardShown(pathname: string): string | null | undefined {
  if (pathname === ROUTES.allBoards) return null
  const [, board] = /^\/b\/([^/]+)/.exec(pathname) ?? []
  return board === undefined ? undefined : decodeURIComponent(board)
}
