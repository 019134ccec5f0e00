// Runs in every test file. What a file leaves open when it ends (a timer, socket, server, child process, worker) fails
// it, and so does a warning of Node's: both are the usual first sign of a missing `close`.
import { afterAll, beforeAll } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'

/** Work in flight that ends by itself. */
const passing = new Set(['FSReqCallback', 'FSReqPromise', 'GetAddrInfoReqWrap', 'Immediate', 'TickObject'])
/** A busy machine may close handles late; leaked handles stay. */
const graceMs = 10_000

const warnings: string[] = []
let before: readonly string[] = []

/** When the runner is killed, so are we: otherwise a hanging test would go on alone. */
const leave = (): void => process.exit(1)

beforeAll(() => {
  process.once('disconnect', leave)
  // Not timers: the runner has one of its own now and then, for 100 ms at most, which would hide one of ours.
  before = openResources().filter((resource) => resource !== 'Timeout')
  process.on('warning', recordWarning)
})

// Hooks run last-registered first, so this one sees the file after all its own hooks have cleaned up.
afterAll(async () => {
  const deadline = Date.now() + graceMs
  do {
    await sleep(5, undefined, { ref: false })
  } while (leaked().length > 0 && Date.now() < deadline)
  process.off('warning', recordWarning)
  process.off('disconnect', leave)
  const found = leaked()
  if (found.length > 0) throw new Error(`left open at the end of the file: ${found.join(', ')}`)
  if (warnings.length > 0) throw new Error(`warnings during the tests: ${warnings.join('; ')}`)
})

function openResources(): readonly string[] {
  return process.getActiveResourcesInfo().filter((resource) => !passing.has(resource))
}

function leaked(): readonly string[] {
  const known = [...before]
  return openResources().filter((resource) => {
    const index = known.indexOf(resource)
    if (index === -1) return true
    known.splice(index, 1)
    return false
  })
}

function recordWarning(warning: Error): void {
  warnings.push(`${warning.name}: ${warning.message}`)
}
