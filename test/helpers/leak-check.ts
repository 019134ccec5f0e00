// Checks every test file for leaks. A file fails if it leaves a timer, socket, server, child process or worker open at
// its end, or if Node prints a warning. Both are usually the first sign of a missing `close`.
import { afterAll, beforeAll } from 'vitest'
import { setTimeout as sleep } from 'node:timers/promises'
import { runAtFileEnd } from './file-end.ts'
import { keptResources, openResources, without } from './kept-resources.ts'

/** The time for which handles may stay open, because a busy machine closes them late. Leaked handles stay longer. */
const graceMs = 10_000

const warnings: string[] = []
let before: readonly string[] = []
/** The number of kept resources that were open before this file. */
let keptBefore = 0

/** Ends this process when the test runner is killed, so that a hanging test does not stay behind. */
const leave = (): void => process.exit(1)

beforeAll(() => {
  process.once('disconnect', leave)
  // Timers are not recorded here. The runner sometimes has its own timer for up to 100 ms, which would hide a leaked
  // timer.
  before = openResources().filter((resource) => resource !== 'Timeout')
  keptBefore = keptResources().length
  process.on('warning', recordWarning)
})

// The hook that was registered first runs last, so this hook runs after all hooks of the test file have cleaned up.
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

runAtFileEnd()

function leaked(): readonly string[] {
  return without(openResources(), [...before, ...keptResources().slice(keptBefore)])
}

function recordWarning(warning: Error): void {
  warnings.push(`${warning.name}: ${warning.message}`)
}
