/** The output of an agent on standard output: as it is for programs, with its control characters shown on a terminal. */
import type { Invocation } from './invocation.ts'
import { block } from './escape.ts'

export async function printLog(
  cli: Invocation,
  texts: AsyncIterable<{ readonly run: string; readonly text: string }>,
  { raw }: { readonly raw: boolean },
): Promise<void> {
  const { stdout, terminal } = cli.world
  const shown = terminal === null || raw ? (text: string) => text : makeShown()
  let last = ''
  for await (const piece of texts) {
    last = cli.json ? `${JSON.stringify(piece)}\n` : shown(piece.text)
    stdout.write(last)
  }
  if (last === '') noticeNothing(cli)
  else if (terminal !== null && !last.endsWith('\n')) stdout.write('\n')
}

/** Of a run that somebody stopped looking at it cannot be told. */
export function noticeNothing(cli: Invocation): void {
  if (!cli.stopped) cli.notice('(nothing was printed)')
}

/** A line end of two characters may come in two pieces. */
export function makeShown(): (text: string) => string {
  let held = ''
  return (text) => {
    const whole = held + text
    held = whole.endsWith('\r') ? '\r' : ''
    return block(held === '' ? whole : whole.slice(0, -1))
  }
}
