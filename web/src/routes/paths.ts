/** The URLs of the app. Every screen has a URL, so Back, Forward and reload work. */

/** The URL patterns for the router. src/http/site/routes.ts serves the page for the same URLs. */
export const ROUTES = {
  home: '/',
  signIn: '/sign-in',
  allBoards: '/all',
  board: '/b/:board',
  card: '/b/:board/:card',
  graph: '/graph/:board',
  plan: '/plan/:board/:card',
  recurring: '/recurring',
  series: '/recurring/:series',
  inbox: '/needs-you',
  agents: '/agents',
  agent: '/agents/:agent',
  activity: '/activity',
  health: '/health',
  settings: '/settings',
  settingsPart: '/settings/:part',
  /** A page with all interface components, which exists only in development. */
  parts: '/ui',
} as const

const part = encodeURIComponent

export const boardPath = (board: string): string => `/b/${part(board)}`
/** Returns the URL of the graph around a card, or of the open cards of the board. */
export const graphPath = (board: string, card: string | null = null): string =>
  `/graph/${part(board)}${card === null ? '' : `?card=${part(card)}`}`
/** The plan for a card in triage. */
export const planPath = (board: string, card: string): string => `/plan/${part(board)}/${part(card)}`
export const seriesPath = (series: string): string => `/recurring/${part(series)}`
export const cardPath = (board: string, card: string): string => `/b/${part(board)}/${part(card)}`
export const agentPath = (agent: string): string => `/agents/${part(agent)}`
/** Returns the URL of the page Needs you with the focus on this item. */
export const inboxItemPath = (item: string): string => `${ROUTES.inbox}?item=${part(item)}`
export const settingsPath = (name: string): string => `/settings/${part(name)}`
/** Returns the URL of all cards that wait for an agent. */
export const waitingPath = (agent: string): string => `${ROUTES.allBoards}?assignee=${part(agent)}`
/** Returns the URL of the activity page with filters: `activityPath({ by: 'agent:claude' })`. */
export function activityPath(filters: Readonly<Record<string, string>> = {}): string {
  const query = String(new URLSearchParams(filters))
  return query === '' ? ROUTES.activity : `${ROUTES.activity}?${query}`
}

/** Returns the board that a URL names: null for all boards, undefined for other screens. */
export function boardShown(pathname: string): string | null | undefined {
  if (pathname === ROUTES.allBoards) return null
  const [, board] = /^\/b\/([^/]+)/.exec(pathname) ?? []
  return board === undefined ? undefined : decodeURIComponent(board)
}
