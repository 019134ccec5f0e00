/**
 * Finds the names that a comment mentions with `@`, such as `@reviewer`. Code and quotes are left out, because their
 * author does not address anyone: `@app` in code is a decorator, and a quote repeats the mention of another comment.
 */

/**
 * Matches a mention. After a Latin letter or a digit, the text is an address (`ada@example.org`); after a slash, it is
 * a path. Other letters may precede a mention, because Chinese and Korean write no space there. Before `@`, `/`, or a
 * dot with a letter, the text is a package, a path or a host.
 */
const MENTION =
  /(?<![\p{Script=Latin}\p{N}/@\\=])@([a-z0-9](?:[a-z0-9_-]*[a-z0-9])?)(?![_-]*[\p{Script=Latin}\p{N}@/]|\.[\p{L}\p{N}])/giu

/** The mentioned names in lower case, in the order of their first mention. */
export function mentionsIn(comment: string): readonly string[] {
  if (!comment.includes('@')) return []
  const found = paragraphsOf(comment).flatMap((paragraph) => [...withoutCode(paragraph).matchAll(MENTION)])
  return [...new Set(found.flatMap(([, name]) => name?.toLowerCase() ?? []))]
}

/** A run of backticks opens a code span if a later run of the same paragraph has the same length. */
const withoutCode = (paragraph: string): string => paragraph.replaceAll(/(?<![`\\])(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, ' ` ')

const FENCE = /^\s*(?:(?:[-*+]|\d+[.)])\s+)*(`{3,}(?=[^`]*$)|~{3,})/
const LIST_ITEM = /^\s*(?:[-*+]|\d+[.)])\s/
const QUOTE = /^\s*>/
const INDENTED = /^(?: {4}|\t)/

/** The paragraphs of the text, without blocks of code and quotes. */
function paragraphsOf(text: string): readonly string[] {
  const paragraphs: string[] = ['']
  let fence: string | null = null
  let isAfterBlank = true
  let isInList = false
  const add = (line: string): void => void paragraphs.push(`${paragraphs.pop() ?? ''}\n${line}`)
  for (const line of text.split(/\r\n?|\n/)) {
    if (fence !== null) {
      if (closes(line, fence)) fence = null
      continue
    }
    fence = FENCE.exec(line)?.[1] ?? null
    const isBlank = line.trim() === ''
    if (LIST_ITEM.test(line)) isInList = true
    else if (isAfterBlank && !isBlank && !/^\s/.test(line)) isInList = false
    const isCode: boolean = isAfterBlank && !isInList && INDENTED.test(line)
    if (fence !== null || isBlank || QUOTE.test(line)) paragraphs.push('')
    else if (!isCode) add(line)
    // The next indented line belongs to the same block of code.
    isAfterBlank = isBlank || isCode || fence !== null
  }
  return paragraphs
}

const closes = (line: string, fence: string): boolean => {
  const end = line.trim()
  return end.length >= fence.length && end === fence.charAt(0).repeat(end.length)
}
