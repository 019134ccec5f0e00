/**
 * Patterns for files. A pattern may contain `*`, `?`, `[a-z]`, `{one,two}`, and `**` for any number of folders. A name
 * that begins with a dot matches only a pattern that begins with a dot.
 */

const ALTERNATIVES = 100

/** Expands `src/{a,b}/*.ts` into two patterns without braces. Returns at most a hundred patterns. */
export function expandBraces(pattern: string): string[] {
  const waiting = [pattern]
  const done: string[] = []
  while (waiting.length > 0 && waiting.length + done.length <= ALTERNATIVES) {
    const next = waiting.pop() ?? ''
    // The expression matches an innermost pair of braces, so nested braces are expanded from the inside.
    const found = /\{([^{}]*,[^{}]*)\}/.exec(next)
    if (found === null) done.push(next)
    else
      for (const part of (found[1] ?? '').split(','))
        waiting.push(`${next.slice(0, found.index)}${part}${next.slice(found.index + found[0].length)}`)
  }
  return done
}

/** Splits a pattern into segments. If several `**` follow each other, only one of them is kept. */
export const segmentsOf = (pattern: string): string[] =>
  pattern
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .filter((part, at, all) => part !== '**' || all[at - 1] !== '**')

export const isLiteral = (segment: string): boolean => !/[*?[\]]/.test(segment)

/** Compiles one segment of a pattern. A segment is the part between two slashes. */
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
