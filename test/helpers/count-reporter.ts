import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

interface Failure {
  name: string
  /** The message and the source position of each error. */
  reason: string
}

/** Writes the number of passed and skipped tests, and the failed tests, to the file that MUSTER_TEST_COUNTS names. */
export class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const file = process.env['MUSTER_TEST_COUNTS']
    if (!file) return
    const counts = { passed: 0, skipped: 0, failures: failuresOf('outside every test', unhandledErrors) }
    for (const module of modules) {
      // A file that cannot be loaded, or a hook that fails, counts as a failure although no test failed.
      counts.failures.push(...failuresOf(module.relativeModuleId, module.errors()))
      for (const suite of module.children.allSuites()) {
        counts.failures.push(...failuresOf(nameOf(module, suite), suite.errors()))
      }
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result()
        if (state === 'failed') counts.failures.push(failure(nameOf(module, test), errors))
        else counts[state === 'passed' ? 'passed' : 'skipped'] += 1
      }
    }
    writeFileSync(file, JSON.stringify(counts))
  }
}

function nameOf(module: TestModule, entry: { fullName: string }): string {
  return `${module.relativeModuleId} > ${entry.fullName}`
}

function failuresOf(name: string, errors: readonly SerializedError[]): Failure[] {
  return errors.map((error) => failure(name, [error]))
}

function failure(name: string, errors: readonly SerializedError[]): Failure {
  const reasons = errors.map((error) => {
    const place = error.stacks?.[0]
    const at = place ? [`at ${place.file}:${String(place.line)}`] : []
    return [error.message, ...at].join('\n')
  })
  return { name, reason: stripVTControlCharacters(reasons.join('\n')) }
}
