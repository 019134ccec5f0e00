import { BaseSequencer } from 'vitest/node'
import type { TestSpecification } from 'vitest/node'

/** The test files that take more than 20 s, the longest file first. */
const LONGEST = [
  'e2e/passes',
  'e2e/dispatch',
  'workspaces/git-tricks',
  'e2e/landing-crash',
  'e2e/liveness',
  'e2e/races',
  'e2e/durability',
  'e2e/workspace-kinds',
  'e2e/turns',
  'workspaces/landing',
  'e2e/checks',
  'e2e/machines',
  'e2e/files-elsewhere',
  'e2e/package',
  'e2e/hung-dispatcher',
  'e2e/mcp-verdicts',
  'storage/postgres/round-trips',
]

/**
 * Starts the longest files first, so that no worker runs alone at the end. Without this list, a first run has no order,
 * because vitest only knows the durations of earlier runs.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`))
  return rank === -1 ? LONGEST.length : rank
}
