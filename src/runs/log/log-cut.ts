/**
 * Which part of a run's output is not on disk any more. Output is counted from its first byte, whatever became of it:
 *   [0, from) the beginning · [from, to) left out · [to, to + kept) in a file of its own · [to + kept, …) the end
 * Where holes can be made nothing is kept apart, and places in the file are places in the output.
 */
import { writeDurably } from '../files/run-directory.ts'
import { readIfExists } from '../../util/replace-file.ts'

export interface LogCut {
  readonly from: number
  readonly to: number
  readonly kept: number
  /** The end stands this much further to the front in the file; 0 in a file with a hole. */
  readonly base: number
}

const cutFile = (log: string): string => `${log}.cut`

/** A name for each: whoever reads by an older cut finds no file rather than another one. */
export const keptFile = (log: string, { to }: Pick<LogCut, 'to'>): string => `${log}.kept-${to}`

/** Null when everything is there. */
export async function readCut(log: string): Promise<LogCut | null> {
  const found = /^muster-cut 1 (\d+) (\d+) (\d+) (\d+)$/.exec((await readIfExists(cutFile(log)))?.trim() ?? '')
  if (found === null) return null
  const [from = 0, to = 0, kept = 0, base = 0] = found.slice(1).map(Number)
  return { from, to, kept, base }
}

export const writeCut = (log: string, { from, to, kept, base }: LogCut): Promise<void> =>
  writeDurably(cutFile(log), `muster-cut 1 ${from} ${to} ${kept} ${base}\n`)

export const isSameCut = (a: LogCut | null, b: LogCut | null): boolean => a?.to === b?.to && a?.base === b?.base

/** Where a place that was not left out stands, and how much may be read from there on. */
export function locate(log: string, cut: LogCut | null, place: number): { path: string; at: number; most: number } {
  if (cut === null) return { path: log, at: place, most: Infinity }
  if (place < cut.from) return { path: log, at: place, most: cut.from - place }
  const end = cut.to + cut.kept
  if (place < end) return { path: keptFile(log, cut), at: place - cut.to, most: end - place }
  return { path: log, at: place - cut.base, most: Infinity }
}
