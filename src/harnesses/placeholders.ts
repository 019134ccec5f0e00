/**
 * Placeholders in the arguments of `command` agents. Each argument stays one argument, and inserted text is not searched
 * again. `{{word}}` is a plain `{word}`.
 */
export const PLACEHOLDERS = [
  'body',
  'bodyFile',
  'briefingFile',
  'mcp',
  'run',
  'task',
  'title',
  'turn',
  'workspace',
] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

const PATTERN = /\{\{([A-Za-z]\w*)\}\}|\{([A-Za-z]\w*)\}/g

const isPlaceholder = (word: string): word is Placeholder => PLACEHOLDERS.some((known) => known === word)

const wordsIn = (argument: string): string[] =>
  [...argument.matchAll(PATTERN)].flatMap(([, , word]) => (word === undefined ? [] : [word]))

export const placeholdersIn = (args: readonly string[]): ReadonlySet<Placeholder> =>
  new Set(args.flatMap(wordsIn).filter(isPlaceholder))

/** The fault in an argument, with the remedy; null if there is none. */
export function placeholderFault(argument: string): string | null {
  const unknown = wordsIn(argument).find((word) => !isPlaceholder(word))
  if (unknown === undefined) return null
  // Other users can read a command line, and its length is limited.
  if (unknown === 'briefing')
    return 'the briefing comes on standard input, never on the command line: remove {briefing}, or write {briefingFile}'
  const known = PLACEHOLDERS.map((word) => `{${word}}`).join(' ')
  return `there is no placeholder {${unknown}}: use ${known}, or {{${unknown}}} for the plain word`
}

export const fillPlaceholders = (argument: string, values: Readonly<Record<Placeholder, string>>): string =>
  argument.replace(PATTERN, (typed, plain: string | undefined, word: string | undefined) => {
    if (plain !== undefined) return `{${plain}}`
    return word !== undefined && isPlaceholder(word) ? values[word] : typed
  })
