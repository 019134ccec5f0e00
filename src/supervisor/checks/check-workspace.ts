/** Runs the checks of a workspace, and hashes the files that were checked. */
import { callFileHelper } from '../../file-helper/call-file-helper.ts'
import type { CheckResult } from './check.ts'
import type { CheckPlace } from './command-check.ts'
import type { Content } from '../../file-helper/probes/content-hash.ts'
import { runChecks } from './run-checks.ts'

export interface CheckedWorkspace extends CheckPlace {
  /** The files of the workspace that count as content. */
  readonly content: Content
}

export interface WorkspaceChecks {
  readonly passed: boolean
  readonly results: readonly CheckResult[]
  /** The hash of the content after the checks. Null means that the hash could not be computed. */
  readonly contentHash: string | null
}

/**
 * Runs the checks. If the agent changed the content meanwhile, the checks run once more, so that all of them see the
 * same content. If no agent is running, only the checks can have changed the content, so they do not run again.
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
