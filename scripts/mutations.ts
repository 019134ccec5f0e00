/**
 * Faults that a change could introduce. A test must notice each one; `npm run mutate` prints that test. The files group
 * them by folder of `src`; `runs.ts` has the faults that the simulator must notice.
 */
import { CORE_MUTATIONS } from './mutations/core.ts'
import { STORAGE_MUTATIONS } from './mutations/storage.ts'
import { DISPATCHER_MUTATIONS } from './mutations/dispatcher.ts'
import { WORKERS_MUTATIONS } from './mutations/workers.ts'
import { WORKSPACES_MUTATIONS } from './mutations/workspaces.ts'
import type { Mutation } from './mutations/mutation.ts'

export type { Mutation }
export { RUN_MUTATIONS } from './mutations/runs.ts'

export const MUTATIONS: readonly Mutation[] = [
  ...CORE_MUTATIONS,
  ...STORAGE_MUTATIONS,
  ...DISPATCHER_MUTATIONS,
  ...WORKERS_MUTATIONS,
  ...WORKSPACES_MUTATIONS,
]
