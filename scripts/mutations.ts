/** Faults that a change could make. Each must be noticed by a test; `npm run mutate` shows which. A file for each folder of `src`. */
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
