/** Returns the next or the previous match. After the last match comes the first. `matches` must be sorted. */
export function stepTo(matches: readonly number[], current: number | null, by: 1 | -1): number | null {
  if (matches.length === 0) return null
  if (current === null) return matches[0] ?? null
  const at = matches.indexOf(current)
  // If the current match no longer exists, the search continues from its position.
  const near = at === -1 ? matches.findIndex((match) => match > current) - (by === 1 ? 1 : 0) : at
  return matches[(near + by + matches.length) % matches.length] ?? null
}
