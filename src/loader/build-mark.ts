/**
 * The name of a build: a comment at the head of each file of code (scripts/bundle.mjs), and the same bytes at the head of
 * what the engine compiled of it. The engine compares nothing but lengths: with the code of another build it would run
 * that, or crash.
 */
const END = '*/'

export const markOf = (code: Buffer): Buffer => code.subarray(0, code.indexOf(END) + END.length)

/** What was kept under a mark, without it; undefined where there is nothing, or another build left it. */
export const keptUnder = (mark: Buffer, kept: Buffer | undefined): Buffer | undefined =>
  kept?.subarray(0, mark.length).equals(mark) === true ? kept.subarray(mark.length) : undefined
