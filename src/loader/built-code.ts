/** Shared by the two loaders of built code: the chunks of the CLI and the single file of the supervisor. */

/** Node modules that take milliseconds to load. Most programs import them without using them. */
const HEAVY = new Set(
  ['child_process', 'crypto', 'fs/promises', 'module', 'net', 'stream/consumers', 'timers/promises', 'v8', 'vm'].map(
    (name) => `node:${name}`,
  ),
)

/** Resolves a chunk's import of a module outside Muster. A heavy module is loaded on first use. */
export const requireWhenUsed = (outside: (name: string) => unknown, request: string): unknown =>
  HEAVY.has(request)
    ? new Proxy({}, { get: (_, name) => Reflect.get(outside(request) as object, name) as unknown })
    : outside(request)

/** The end of a build's mark. The mark is a comment at the start of each code file and of its compiled code. */
const END = '*/'

/** The engine compares only lengths. With the compiled code of another build, it would run that code or crash. */
export const markOf = (code: Buffer): Buffer => code.subarray(0, code.indexOf(END) + END.length)

/** The compiled code after the mark; undefined if it does not exist or belongs to another build. */
export const keptUnder = (mark: Buffer, kept: Buffer | undefined): Buffer | undefined =>
  kept?.subarray(0, mark.length).equals(mark) === true ? kept.subarray(mark.length) : undefined
