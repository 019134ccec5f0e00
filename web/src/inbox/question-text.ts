/** Splits the question of an agent into two parts: the question itself, and the explanation. */

const LONGEST_TITLE = 160

interface Question {
  readonly title: string
  /** The explanation in Markdown. Empty if the question has no explanation. */
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

/** A title has no markup. */
const plain = (line: string): string => line.replace(/^#+\s+/, '').replace(/\*\*|`/g, '')
