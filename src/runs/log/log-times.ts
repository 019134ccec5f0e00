/**
 * Records when the output of a run was written. Agents write directly to the log, without times. So while the
 * supervisor watches the log, it notes the length of all output about once a second, in a file beside the log.
 */
import { stat } from 'node:fs/promises'
import { writeFile } from '../../util/guarded-files.ts'
import { readAt } from './read-log.ts'

const timesFile = (log: string): string => `${log}.times`

/** Notes that all output has this length now. Errors are ignored, so a full disk only loses the time. */
export async function noteLogTime(log: string, { end, at }: { readonly end: number; readonly at: number }) {
  await writeFile(timesFile(log), `${at} ${end}\n`, { flag: 'a', mode: 0o600 }).catch(() => {})
}

/** The times of a log that may still grow. `refresh` reads the times that were noted since the last call. */
export class LogTimes {
  readonly #path: string
  /** The lengths of the output, ascending, and the time at which the output had each length. */
  readonly #ends: number[] = []
  readonly #times: number[] = []
  #place = 0

  constructor(log: string) {
    this.#path = timesFile(log)
  }

  async refresh(): Promise<void> {
    const size = (await stat(this.#path).catch(() => null))?.size ?? 0
    if (size <= this.#place) return
    const text = (await readAt(this.#path, this.#place, size - this.#place)).toString('latin1')
    const whole = text.slice(0, text.lastIndexOf('\n') + 1)
    this.#place += whole.length
    for (const line of whole.split('\n')) this.#add(line)
  }

  /** The time by which the byte at this position was written. Null means that that time is not known yet. */
  timeOf(place: number): number | null {
    let low = 0
    let high = this.#ends.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#ends[middle] ?? 0) > place) high = middle
      else low = middle + 1
    }
    return this.#times[low] ?? null
  }

  #add(line: string): void {
    const [, at, end] = /^(\d+) (\d+)$/.exec(line) ?? []
    if (at === undefined || end === undefined || Number(end) <= (this.#ends.at(-1) ?? 0)) return
    this.#ends.push(Number(end))
    this.#times.push(Number(at))
  }
}
