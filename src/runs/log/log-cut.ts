/**
 * Describes the part of a run's output that is no longer on disk. Positions count from the first byte of all output:
 *
 * - [0, from): the beginning
 * - [from, to): the dropped part
 * - [to, to + kept): the part in a second file
 * - [to + kept, …): the end
 *
 * If the log has a hole, no second file exists, and positions in the file are equal to positions in the output.
 */
import { writeDurably } from '../files/run-directory.ts'
import { readIfExists } from '../../util/replace-file.ts'

export interface LogCut {
  readonly from: number
  readonly to: number
  readonly kept: number
  /**
   * The difference between a position in the output and the position in the file, for the end of the output. The
   * difference is 0 if the log has a hole.
   */
  readonly base: number
}

const cutFile = (log: string): string => `${log}.cut`

/**
 * The path of the second file. Each cut uses a new name, so that a reader that knows only an older cut does not read
 * the wrong file.
 */
export const keptFile = (log: string, { to }: Pick<LogCut, 'to'>): string => `${log}.kept-${to}`

/** Reads the cut of a log. Returns null if nothing was cut. */
export async function readCut(log: string): Promise<LogCut | null> {
  const found = /^muster-cut 1 (\d+) (\d+) (\d+) (\d+)$/.exec((await readIfExists(cutFile(log)))?.trim() ?? '')
  if (found === null) return null
  const [from = 0, to = 0, kept = 0, base = 0] = found.slice(1).map(Number)
  return { from, to, kept, base }
}

export const writeCut = (log: string, { from, to, kept, base }: LogCut): Promise<void> =>
  writeDurably(cutFile(log), `muster-cut 1 ${from} ${to} ${kept} ${base}\n`)

export const isSameCut = (a: LogCut | null, b: LogCut | null): boolean => a?.to === b?.to && a?.base === b?.base

/** The file and offset of a position that is still on disk, and the number of bytes that may be read from there. */
export function locateInLog(
  log: string,
  cut: LogCut | null,
  place: number,
): { path: string; at: number; most: number } {
  if (cut === null) return { path: log, at: place, most: Infinity }
  if (place < cut.from) return { path: log, at: place, most: cut.from - place }
  const end = cut.to + cut.kept
  if (place < end) return { path: keptFile(log, cut), at: place - cut.to, most: end - place }
  return { path: log, at: place - cut.base, most: Infinity }
}
