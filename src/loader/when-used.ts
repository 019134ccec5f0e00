/** Parts of Node that take milliseconds to load, and that most programs of ours name without using. */
const HEAVY = new Set(
  ['child_process', 'crypto', 'fs/promises', 'module', 'net', 'stream/consumers', 'timers/promises', 'v8', 'vm'].map(
    (name) => `node:${name}`,
  ),
)

/** What a chunk asks for that is not ours; a heavy part is loaded when something of it is used. */
export const requireWhenUsed = (outside: (name: string) => unknown, request: string): unknown =>
  HEAVY.has(request)
    ? new Proxy({}, { get: (_, name) => Reflect.get(outside(request) as object, name) as unknown })
    : outside(request)
