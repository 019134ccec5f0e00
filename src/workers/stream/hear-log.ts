/** What an agent said at the end of its log, for those who did not listen to it. */
import { readLogTail } from '../log-tail.ts'
import type { ReadLine } from './entry.ts'
import { NOTHING_HEARD, hear } from './heard.ts'
import type { Heard } from './heard.ts'

/** Programs say last what ended them, in few words. */
const END_BYTES = 64 * 1024

/** Without what was spent: that may stand further in front. */
export async function hearLog(log: string, readLine: ReadLine): Promise<Omit<Heard, 'usage'>> {
  const text = (await readLogTail(log, END_BYTES)) ?? ''
  return text.split('\n').flatMap(readLine).reduce(hear, NOTHING_HEARD)
}
