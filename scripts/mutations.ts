/**
 * Bugs that a change could introduce. At least one test must fail for each; `npm run mutate` prints that test. The
 * files group them by folder of `src`; `runs.ts` has the mutations that the simulator must find.
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
