/** Muster's own lines between the agent's lines in the log of a run. */
import { stat } from 'node:fs/promises'
import { writeFile } from '../../util/guarded-files.ts'
import { readAt } from './read-log.ts'

export const NOTE_PREFIX = '# muster: '

/** Appends a line. Errors are ignored, so a full disk only loses this line. */
export async function noteInLog(log: string, text: string): Promise<void> {
  try {
    const size = (await stat(log).catch(() => null))?.size ?? 0
    const isOpen = size > 0 && (await readAt(log, size - 1, 1)).toString() !== '\n'
    const line = `${isOpen ? '\n' : ''}${NOTE_PREFIX}${text.replaceAll('\n', ' ')}\n`
    await writeFile(log, line, { flag: 'a', mode: 0o600 })
  } catch {
    // A failed write must not end the run. The line is only for readers of the log.
  }
}

export const beginsTurn = (line: string): boolean => /^# muster: turn \d+: /.test(line)

/** Removes the lines that mark the beginning of a turn. */
export const withoutTurns = (text: string): string => text.replaceAll(/^# muster: turn \d+: .*\n?/gm, '')
