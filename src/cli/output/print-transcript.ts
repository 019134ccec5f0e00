/** Prints the transcript of a run as text for people, or as one JSON value per line for programs. */
import type { RunPassage } from '../../operations/runs/read-transcript.ts'
import type { Passage } from '../../harnesses/stream/passage.ts'
import type { Invocation } from '../invocation.ts'
import { jsonText } from './escape.ts'
import { makeEscaper, noticeEmpty } from './print-log.ts'
import { makeQuieter } from '../../harnesses/stream/quiet-transcript.ts'
import { passageText } from '../render/transcript.ts'
import type { Terminal } from './terminal.ts'

export async function printTranscript(cli: Invocation, passages: AsyncIterable<RunPassage>): Promise<void> {
  const { stdout, terminal } = cli.world
  const format = makeFormatter(terminal)
  const quieter = makeQuieter()
  let last = ''
  const print = (text: string): void => {
    if (text === '') return
    stdout.write(text)
    last = text
  }
  for await (const passage of passages)
    if (cli.json) print(`${jsonText(passage)}\n`)
    else for (const shown of quieter.take(passage)) print(format(shown))
  for (const shown of quieter.end()) print(format(shown))
  if (last === '') noticeEmpty(cli)
  else if (!last.endsWith('\n')) stdout.write('\n')
}

/**
 * Formats passages. Text that the agent printed passes through unchanged. Other passages start on a new line, with one
 * empty line between them.
 */
function makeFormatter(terminal: Terminal | null): (passage: Passage) => string {
  const asText = makeEscaper()
  let before = '\n\n'
  return (passage) => {
    const text = passage.kind === 'printed' ? asText(passage.text) : passageText(passage, terminal)
    const onNewLine = passage.kind === 'printed' || before.endsWith('\n') ? text : `\n${text}`
    const separated = passage.kind !== 'printed' && before.endsWith('\n\n') ? onNewLine.replace(/^\n/, '') : onNewLine
    if (separated !== '') before = (before + separated).slice(-2)
    return separated
  }
}
