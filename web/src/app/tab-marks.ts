/** The title and the icon of the browser tab. They show how many items need the person. */

export interface Waiting {
  readonly count: number
  /** Whether the number is exact. False if there may be more items. */
  readonly isExact: boolean
}

const NAME = 'Muster'

/** `(7) Needs you · Muster`. */
export function tabTitle({ count, isExact }: Waiting, page: string | undefined): string {
  const name = page === undefined ? NAME : `${page} · ${NAME}`
  return count === 0 ? name : `(${count}${isExact ? '' : '+'}) ${name}`
}

/** The largest number in the icon. More digits would be unreadable at this size. */
const MOST_SHOWN = 9

const MARK =
  '<rect width="32" height="32" rx="8" fill="#4a47d8"/><path d="M9.500 9v14M16 9v17M22.500 9v14" stroke="#fff" stroke-width="3.600" stroke-linecap="round"/>'

/** Returns the URL of the icon. If items wait, a badge covers the lower right corner of the icon. */
export function tabIcon({ count }: Waiting): string {
  if (count === 0) return '/favicon.svg'
  const text = count > MOST_SHOWN ? `${MOST_SHOWN}+` : String(count)
  const size = text.length > 1 ? 14 : 17
  const badge = `<circle cx="22" cy="22" r="10" fill="#c22b2b" stroke="#fff" stroke-width="1.500"/><text x="22" y="${22 + size * 0.36}" text-anchor="middle" font-family="system-ui,sans-serif" font-weight="700" font-size="${size}" fill="#fff">${text}</text>`
  return `data:image/svg+xml,${encodeURIComponent(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${MARK}${badge}</svg>`)}`
}
