/** Highlights search matches on the page. The browser paints text ranges, so no element changes. */

const FOUND = 'muster-found'
const CURRENT = 'muster-found-current'

/** Finds the matches in a text, ignoring case. */
export function matchesIn(text: string, find: string): readonly (readonly [from: number, to: number])[] {
  const found: [number, number][] = []
  const needle = find.toLowerCase()
  if (needle === '') return found
  // Some characters become longer in lower case. If the length changes, positions in the lower-case text would be
  // wrong.
  const lower = text.toLowerCase()
  const hay = lower.length === text.length ? lower : text
  for (let at = hay.indexOf(needle); at !== -1; at = hay.indexOf(needle, at + needle.length))
    found.push([at, at + needle.length])
  return found
}

/** The maximum number of ranges to paint. A screen shows fewer. */
const RANGES_MAX = 2_000

/** Finds the matches in a block, even if a match spans several elements, for example coloured words. */
function rangesIn(block: Element, find: string): readonly Range[] {
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_TEXT)
  const nodes: { readonly node: Node; readonly from: number }[] = []
  let text = ''
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    nodes.push({ node, from: text.length })
    text += node.nodeValue ?? ''
  }
  const placeOf = (at: number) => nodes.findLast(({ from }) => from <= at)
  return matchesIn(text, find).flatMap(([from, to]) => {
    const [start, end] = [placeOf(from), placeOf(to - 1)]
    if (start === undefined || end === undefined) return []
    const range = document.createRange()
    range.setStart(start.node, from - start.from)
    range.setEnd(end.node, to - end.from)
    return [range]
  })
}

interface Blocks {
  /** The elements to search, each on its own. */
  readonly blocks: Iterable<Element>
  readonly find: string
  /** The block that contains the current match. Null means that no match is current. */
  readonly current: Element | null
}

export function paintMatches({ blocks, find, current }: Blocks): void {
  if (!('highlights' in CSS)) return
  const found = new Highlight()
  const inCurrent = new Highlight()
  if (find !== '')
    for (const block of blocks)
      for (const range of rangesIn(block, find))
        if (found.size + inCurrent.size < RANGES_MAX) (block === current ? inCurrent : found).add(range)
  CSS.highlights.set(FOUND, found)
  CSS.highlights.set(CURRENT, inCurrent)
}

export function clearMatches(): void {
  if (!('highlights' in CSS)) return
  CSS.highlights.delete(FOUND)
  CSS.highlights.delete(CURRENT)
}
