/** Shared by the two loaders of built code: the command line's chunks and the supervisor's single file. */

/** Modules of Node that take milliseconds to load, and that most programs import without using. */
const HEAVY = new Set(
  ['child_process', 'crypto', 'fs/promises', 'module', 'net', 'stream/consumers', 'timers/promises', 'v8', 'vm'].map(
    (name) => `node:${name}`,
  ),
)

/** Resolves a chunk's import of a module that is not Muster's; a heavy module is loaded on first use. */
export const requireWhenUsed = (outside: (name: string) => unknown, request: string): unknown =>
  HEAVY.has(request)
    ? new Proxy({}, { get: (_, name) => Reflect.get(outside(request) as object, name) as unknown })
    : outside(request)

/** Ends the mark of a build: a comment at the head of each file of code, and of the compiled code kept beside it. */
const END = '*/'

/** The engine compares only lengths: given the compiled code of another build, it would run that or crash. */
export const markOf = (code: Buffer): Buffer => code.subarray(0, code.indexOf(END) + END.length)

/** The compiled code behind the mark; undefined if there is none, or it belongs to another build. */
export const keptUnder = (mark: Buffer, kept: Buffer | undefined): Buffer | undefined =>
  kept?.subarray(0, mark.length).equals(mark) === true ? kept.subarray(mark.length) : undefined
