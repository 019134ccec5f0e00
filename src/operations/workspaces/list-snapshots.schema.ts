import * as z from 'zod'
import { count, time } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'

export const snapshot = z.object({
  id: z.string(),
  kind: z.enum(['archive', 'git']),
  takenAt: time,
  files: count,
  bytes: count.describe('Of what was copied'),
  path: z.string().nullable().describe('The archive'),
  repo: z.string().nullable().describe('The repository that holds the ref'),
  ref: z.string().nullable(),
  branch: z.string().nullable().describe('What the worktree had checked out'),
})

export const input = z.object({ task: typedCard })
export const output = z.array(snapshot).readonly()
