/**
 * A line that the user types in Bash. Bash splits words at characters such as `:` and `=`, and expects only the part
 * after the last split. So Muster parses the line itself, and removes the part before the split from the reply.
 */
interface BashLine {
  /** The words up to the cursor. The user is typing the last word. */
  readonly words: readonly string[]
  /** The open quotation mark before the last word. Empty if there is no open quotation mark. */
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
 * Formats a candidate for Bash. Bash does not split a word within quotation marks, and adds the closing mark itself.
 * Bash also splits words at `@`, but keeps this character in the part that it replaces.
 */
export function replyToBash(value: string, { words, quote, breaks }: BashLine & { readonly breaks: string }): string {
  if (quote !== '') return value
  const typed = words.at(-1) ?? ''
  const last = Math.max(...[':', '='].filter((one) => breaks.includes(one)).map((one) => typed.lastIndexOf(one)), -1)
  return value.slice(last + 1).replace(/[\s"'\\$`!&;|<>()*?[\]{}#]/g, '\\$&')
}
