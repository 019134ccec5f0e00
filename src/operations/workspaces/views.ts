import * as z from 'zod'
import { count, time } from '../../core/input/fields.ts'

export const snapshotView = z.object({
  id: z.string(),
  kind: z.enum(['archive', 'git']),
  takenAt: time,
  files: count,
  bytes: count.describe('The size of the copied files'),
  path: z.string().nullable().describe('The archive'),
  repo: z.string().nullable().describe('The repository that holds the ref'),
  ref: z.string().nullable(),
  branch: z.string().nullable().describe('The branch that the worktree had checked out'),
})
