/** Every harness with its adapter, for tests that cover all harnesses. */
import type { Harness } from '../../src/harnesses/harness.ts'
import { HARNESS_NAMES, loadHarness } from '../../src/harnesses/index.ts'

const loaded = new Map<string, Harness>(
  await Promise.all(HARNESS_NAMES.map(async (name) => [name, await loadHarness(name)] as const)),
)

export function harnessNamed(name: string): Harness {
  const found = loaded.get(name)
  if (found === undefined) throw new Error(`no harness ${name}`)
  return found
}
