/** Lines of ours between those of the agent: whoever reads the log of a run sees where something began. */
import { stat } from 'node:fs/promises'
import { writeFile } from '../../util/guarded-files.ts'
import { readAt } from './read-log.ts'

export const OURS = '# muster: '

/** On a line of its own. A disk that is full costs the note, and nothing else. */
export async function noteInLog(log: string, words: string): Promise<void> {
  try {
    const size = (await stat(log).catch(() => null))?.size ?? 0
    const isOpen = size > 0 && (await readAt(log, size - 1, 1)).toString() !== '\n'
    const line = `${isOpen ? '\n' : ''}${OURS}${words.replaceAll('\n', ' ')}\n`
    await writeFile(log, line, { flag: 'a', mode: 0o600 })
  } catch {
    // It is on the record as an event, too.
  }
}

export const beginsTurn = (line: string): boolean => /^# muster: turn \d+: /.test(line)

/** Where a turn begins is no word of its agent. */
export const withoutTurns = (text: string): string => text.replaceAll(/^# muster: turn \d+: .*\n?/gm, '')
