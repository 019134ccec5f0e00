/** Prints the output of an agent. Programs get the output unchanged. For a terminal, control characters are escaped. */
import type { Invocation } from '../invocation.ts'
import { multiLine } from './escape.ts'

export async function printLog(
  cli: Invocation,
  texts: AsyncIterable<{ readonly run: string; readonly text: string }>,
  { raw }: { readonly raw: boolean },
): Promise<void> {
  const { stdout, terminal } = cli.world
  const shown = terminal === null || raw ? (text: string) => text : makeEscaper()
  let last = ''
  for await (const piece of texts) {
    last = cli.json ? cli.jsonLine(piece) : shown(piece.text)
    stdout.write(last)
  }
  if (last === '') noticeEmpty(cli)
  else if (terminal !== null && !last.endsWith('\n')) stdout.write('\n')
}

/**
 * Prints a note if the agent printed nothing. After Ctrl-C the note is left out, because the run might still have
 * printed something.
 */
export function noticeEmpty(cli: Invocation): void {
  if (!cli.stopped) cli.notice('(no output)')
}

/** Escapes text that arrives in pieces. A CRLF may be split between two pieces. */
export function makeEscaper(): (text: string) => string {
  let held = ''
  return (text) => {
    const whole = held + text
    held = whole.endsWith('\r') ? '\r' : ''
    return multiLine(held === '' ? whole : whole.slice(0, -1))
  }
}
