/**
 * For tests only: a file that tells real processes what time it is, which machine they are on and what their system
 * does. It is read anew at every question, so a test can move time under a process that runs. Without the variable the
 * world is as it is.
 */
import { readFileSync } from '../util/guarded-files.ts'
import type { Environment } from './environment.ts'
import { ownEnvironment } from './environment.ts'

const VARIABLE = 'MUSTER_TEST_WORLD'

/** What is named is changed; everything else stays as the system says. */
export interface TestWorld {
  /** Added to the clock of the store, whichever machine keeps it. */
  readonly clockOffsetMs?: number
  readonly systemId?: string
  readonly hostname?: string
  readonly bootId?: string
  readonly pidNamespace?: string
  /** By pid: null for one that is not there, else what the process table says differently. */
  readonly processes?: Readonly<Record<string, { readonly startTime?: string; readonly zombie?: boolean } | null>>
  /** `lost`: nothing can be killed. */
  readonly signals?: 'delivered' | 'lost'
  /** `full`: the files of a run cannot be written. `over_quota`: the same, although the disk itself has space. */
  readonly disk?: 'writable' | 'full' | 'over_quota'
}

const AS_IT_IS: TestWorld = {}

let path: string | null | undefined
let last = AS_IT_IS

export function testWorld(): TestWorld {
  if (path === undefined) path = ownEnvironment()[VARIABLE] ?? null
  if (path === null) return AS_IT_IS
  try {
    last = JSON.parse(readFileSync(path, 'utf8')) as TestWorld
  } catch {
    // Not there yet, or half written: what was true goes on.
  }
  return last
}

/** How far the clock of the store is ahead of the real one. */
export const clockShift = (): number => testWorld().clockOffsetMs ?? 0

/** The variable itself, for the processes that this one starts. */
export function testWorldEnvironment(env: Environment): Environment {
  const named = env[VARIABLE]
  return named === undefined ? {} : { [VARIABLE]: named }
}
