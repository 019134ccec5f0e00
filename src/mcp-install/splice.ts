/** The difference between two texts: everything between their common beginning and end. */
export interface Splice {
  readonly at: number
  readonly length: number
  readonly text: string
}

export function spliceBetween(from: string, to: string): Splice {
  const most = Math.min(from.length, to.length)
  let at = 0
  while (at < most && from[at] === to[at]) at += 1
  let tail = 0
  while (tail < most - at && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1
  return { at, length: from.length - at - tail, text: to.slice(at, to.length - tail) }
}

export const applySplice = (text: string, { at, length, text: put }: Splice): string =>
  text.slice(0, at) + put + text.slice(at + length)
