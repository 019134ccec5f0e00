/**
 * Fills placeholders in the arguments of `command` agents. Each argument stays one argument. Inserted text is not
 * searched for placeholders again. `{{word}}` becomes the text `{word}`.
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

/** The fault of an argument, and how to fix it. Null means that the argument has no fault. */
export function placeholderFault(argument: string): string | null {
  const unknown = wordsIn(argument).find((word) => !isPlaceholder(word))
  if (unknown === undefined) return null
  // The text of the briefing has no placeholder, because a command line has a length limit, and other users can read
  // it.
  if (unknown === 'briefing')
    return 'the briefing comes on standard input, never on the command line: remove {briefing}, or write {briefingFile}'
  const known = PLACEHOLDERS.map((word) => `{${word}}`).join(' ')
  return `unknown placeholder {${unknown}}: use ${known}, or write {{${unknown}}} for a literal {${unknown}}`
}

export const fillPlaceholders = (argument: string, values: Readonly<Record<Placeholder, string>>): string =>
  argument.replace(PATTERN, (typed, plain: string | undefined, word: string | undefined) => {
    if (plain !== undefined) return `{${plain}}`
    return word !== undefined && isPlaceholder(word) ? values[word] : typed
  })
