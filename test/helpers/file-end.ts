/**
 * Runs functions at the end of the current test file. A module that several files of a worker share is loaded once, so
 * an `afterAll` of the module would run for the first file only.
 */
import { afterAll } from 'vitest'

const finishers: (() => Promise<void>)[] = []

export const atFileEnd = (finish: () => Promise<void>): void => void finishers.push(finish)

/** Registers the hook. Call this function in a setup file, which runs for each test file. */
export function runAtFileEnd(): void {
  afterAll(async () => {
    for (const finish of finishers.splice(0)) await finish()
  })
}
