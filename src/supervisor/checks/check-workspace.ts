/** The checks, and what they judged. */
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
  /** Of what the workspace held when they were over; null where it could not be told. */
  readonly contentHash: string | null
}

/**
 * Content that changes under the checks while somebody is at work may never have been checked as a whole: then they
 * run once more. When nobody else is there, it was the checks themselves.
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
