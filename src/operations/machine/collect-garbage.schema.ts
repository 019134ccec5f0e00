import * as z from 'zod'
import { count, duration, slug, taskId } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'

export const input = z.object({
  apply: z.boolean().default(false).describe('Do it; without it only say what would go'),
  eventsOlderMs: duration.describe('Events of finished cards older than this go'),
  logsOlderMs: duration.describe('Logs of runs, and leftovers, older than this go'),
  snapshotsOlderMs: duration.describe('Archives of workspaces older than this go, but the newest of a card'),
  discard: typedCard.nullable().default(null).describe('Give up the workspace of this card, kept or not'),
  board: slug.nullable().default(null).describe('Only what belongs to this board'),
})

const cleared = z.object({ path: z.string(), bytes: count })

const clearedWorkspace = cleared.extend({
  /** Where the copy of what it held is; null: there is none, or not yet. */
  snapshot: z.string().nullable(),
  /** Why there is none, though it held something that no card has. */
  uncopied: z.string().nullable(),
})

export const output = z.object({
  /** False: nothing was changed. */
  applied: z.boolean(),
  events: count,
  /** Cards whose time in the trash is over, with all their files. */
  trash: z.array(z.object({ id: taskId, board: slug, title: z.string(), bytes: count })),
  /** Files of boards that were deleted, whose time in the trash is over. */
  deletedBoards: z.array(cleared),
  workspaces: z.array(clearedWorkspace),
  /** Archives of workspaces. */
  snapshots: z.array(cleared),
  runDirectories: z.array(cleared),
  /** Files that no card knows, and copies that were never needed. */
  attachments: z.array(cleared),
  /** Logs of earlier stores. */
  storeLogs: z.array(cleared),
  /** What was not touched, and why. */
  left: z.array(z.object({ path: z.string(), reason: z.string() })),
  /** Of files; what events give back is used again inside the store. */
  bytes: count,
})
export type GarbageReport = z.infer<typeof output>
