/**
 * Patterns for files: `*`, `?`, `[a-z]`, `{one,two}`, and `**` for any folders. A name with a leading dot matches only
 * a pattern with a leading dot.
 */

const ALTERNATIVES = 100

/** `src/{a,b}/*.ts` → two patterns without braces; at most a hundred. */
export function expandBraces(pattern: string): string[] {
  const waiting = [pattern]
  const done: string[] = []
  while (waiting.length > 0 && waiting.length + done.length <= ALTERNATIVES) {
    const next = waiting.pop() ?? ''
    // Takes the innermost pair first, so that nested braces expand from the inside.
    const found = /\{([^{}]*,[^{}]*)\}/.exec(next)
    if (found === null) done.push(next)
    else
      for (const part of (found[1] ?? '').split(','))
        waiting.push(`${next.slice(0, found.index)}${part}${next.slice(found.index + found[0].length)}`)
  }
  return done
}

/** The segments of a pattern; a repeated `**` is dropped. */
export const segmentsOf = (pattern: string): string[] =>
  pattern
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .filter((part, at, all) => part !== '**' || all[at - 1] !== '**')

export const isLiteral = (segment: string): boolean => !/[*?[\]]/.test(segment)

/** Compiles one segment of a pattern, the part between two slashes. */
export function segmentMatcher(segment: string): (name: string) => boolean {
  const source = segment.replace(/\[(!?)([^\]/]+)\]|\*+|\?|[^*?]/g, (part, not: string | undefined, set: string) => {
    if (part.startsWith('[') && set !== undefined) return `[${not === '!' ? '^' : ''}${set.replace(/[\\^[]/g, '\\$&')}]`
    if (part.startsWith('*')) return '[^/]*'
    return part === '?' ? '[^/]' : part.replace(/[\\^$.|+()[\]{}]/g, '\\$&')
  })
  const pattern = new RegExp(`^${source}$`, 'su')
  const namesDot = segment.startsWith('.')
  return (name) => (namesDot || !name.startsWith('.')) && pattern.test(name)
}
