/** Runs the checks of a workspace, with a hash of the content that they checked. */
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import type { CheckResult } from './check.ts'
import type { CheckPlace } from './command-check.ts'
import type { Content } from '../../file-helper/probes/content-hash.ts'
import { runChecks } from './run-checks.ts'

export interface CheckedWorkspace extends CheckPlace {
  /** The workspace, with the rules by which its files count as content. */
  readonly content: Content
}

export interface WorkspaceChecks {
  readonly passed: boolean
  readonly results: readonly CheckResult[]
  /** The content of the workspace after the checks; null if it could not be hashed. */
  readonly contentHash: string | null
}

/**
 * If the content changed during the checks while the agent works, they run once more, because no single state was checked
 * as a whole. Without an agent, the checks themselves changed it.
 */
export async function checkWorkspace(
  checks: readonly string[],
  place: CheckedWorkspace,
  isWorkedOn: () => boolean,
): Promise<WorkspaceChecks> {
  const first = await checkOnce(checks, place)
  const again = first.before !== null && first.before !== first.contentHash && isWorkedOn()
  const { passed, results, contentHash } = again ? await checkOnce(checks, place) : first
  return { passed, results, contentHash }
}

async function checkOnce(
  checks: readonly string[],
  place: CheckedWorkspace,
): Promise<WorkspaceChecks & { before: string | null }> {
  const hash = () => callFileHelper('hashContent', place.content, { signal: place.signal })
  const before = await hash()
  const results = await runChecks(checks, place)
  const contentHash = await hash()
  return { before, results, contentHash, passed: results.every(({ ok }) => ok) }
}
