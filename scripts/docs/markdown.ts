/** Text for a table cell; escapes characters that Markdown would interpret. */
export const cell = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part.replaceAll('|', '\\|') : part.replace(/[|<>*_]/g, escaped)))
    .join('')

const escaped = (mark: string): string => (mark === '<' ? '&lt;' : `\\${mark}`)

export const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``

/** Returns no lines for a table without rows. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return rows.length === 0 ? [] : ['', line(head), line(head.map(() => '---')), ...rows.map(line)]
}
