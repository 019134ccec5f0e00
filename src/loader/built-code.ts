/**
 * Functions for the two loaders of built code. One loads the chunks of the CLI, the other the single file of the
 * supervisor.
 */

/** The Node modules that take milliseconds to load. Most programs import them but do not use them. */
const HEAVY = new Set(
  ['child_process', 'crypto', 'fs/promises', 'module', 'net', 'stream/consumers', 'timers/promises', 'v8', 'vm'].map(
    (name) => `node:${name}`,
  ),
)

/**
 * Loads a module that is not part of Muster's own code. A module that is slow to load is loaded only when it is first
 * used.
 */
export const requireWhenUsed = (outside: (name: string) => unknown, request: string): unknown =>
  HEAVY.has(request)
    ? new Proxy({}, { get: (_, name) => Reflect.get(outside(request) as object, name) as unknown })
    : outside(request)

/**
 * The end of the mark that identifies a build. The mark is a comment at the start of each code file, and of each file
 * with compiled code.
 */
const END = '*/'

/**
 * The mark of the build that wrote this code. Without the mark, the engine could run the compiled code of another build
 * or crash, because the engine only compares lengths.
 */
export const markOf = (code: Buffer): Buffer => code.subarray(0, code.indexOf(END) + END.length)

/** The compiled code after the mark. Undefined means that no compiled code exists or it belongs to another build. */
export const keptUnder = (mark: Buffer, kept: Buffer | undefined): Buffer | undefined =>
  kept?.subarray(0, mark.length).equals(mark) === true ? kept.subarray(mark.length) : undefined
