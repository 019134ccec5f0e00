import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** Writes how many tests passed, failed and were skipped to the file that MUSTER_TEST_COUNTS names. */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const file = process.env['MUSTER_TEST_COUNTS']
    if (!file) return
    const counts = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
    for (const module of modules) {
      // A file that cannot be loaded, or a hook that fails outside every test, is a failure with no test of its own.
      counts.failed += module.errors().length
      for (const suite of module.children.allSuites()) counts.failed += suite.errors().length
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        counts[state === 'pending' ? 'skipped' : state] += 1
      }
    }
    writeFileSync(file, JSON.stringify(counts))
  }
}
