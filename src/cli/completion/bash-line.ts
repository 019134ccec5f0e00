/**
 * Bash breaks words at characters such as `:` and `=`, and expects only the part after the last break. So this parses the
 * line itself, and cuts the part before the break from the reply.
 */
interface BashLine {
  /** The words up to the cursor; the last one is being typed. */
  readonly words: readonly string[]
  /** The open quote around the last word. */
  readonly quote: string
}

export function readBashLine(line: string): BashLine {
  const words: string[] = []
  let word: string | null = null
  let quote = ''
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at)
    if (quote !== '' && character === quote) quote = ''
    else if (character === '\\' && quote !== "'") word = (word ?? '') + line.charAt((at += 1))
    else if (quote === '' && (character === '"' || character === "'")) {
      quote = character
      word ??= ''
    } else if (quote === '' && /\s/.test(character)) {
      if (word !== null) words.push(word)
      word = null
    } else word = (word ?? '') + character
  }
  return { words: [...words, word ?? ''], quote }
}

/**
 * Bash does not break a word within quotes, and closes the quote itself. It also breaks words at `@`, but keeps that
 * character in the part that it replaces.
 */
export function replyToBash(value: string, { words, quote, breaks }: BashLine & { readonly breaks: string }): string {
  if (quote !== '') return value
  const typed = words.at(-1) ?? ''
  const last = Math.max(...[':', '='].filter((one) => breaks.includes(one)).map((one) => typed.lastIndexOf(one)), -1)
  return value.slice(last + 1).replace(/[\s"'\\$`!&;|<>()*?[\]{}#]/g, '\\$&')
}
