/** Splits an agent's question into the question itself and its explanation. */

const LONGEST_TITLE = 160

interface Question {
  readonly title: string
  /** The explanation in Markdown. Empty if there is none. */
  readonly text: string
}

/** Splits the question. The title is the first line, or the first sentence of a long line. */
export function splitQuestion(question: string): Question {
  const trimmed = question.trim()
  const [line = '', ...more] = trimmed.split('\n')
  const rest = more.join('\n').trim()
  if (line.length <= LONGEST_TITLE) return { title: plain(line), text: rest }
  const [, sentence = ''] = /^(.{10,160}?[.?!。？！])(?=\s|$|[^\s\w.])/u.exec(line) ?? []
  if (sentence === '') return { title: plain(`${line.slice(0, LONGEST_TITLE)}…`), text: trimmed }
  return { title: plain(sentence), text: trimmed.slice(sentence.length).trim() }
}

/** Markdown markup is removed from the title. */
const plain = (line: string): string => line.replace(/^#+\s+/, '').replace(/\*\*|`/g, '')
