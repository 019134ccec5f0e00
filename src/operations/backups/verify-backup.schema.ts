import * as z from 'zod'
import { count } from '../../core/input/fields.ts'
import { backupView } from './create-backup.schema.ts'
import { output as findings } from '../machine/run-doctor.schema.ts'

export const input = z.object({
  backup: z.string().describe('A name that backup list shows, or a path'),
})
export const output = backupView.extend({
  ok: z.boolean(),
  boards: count,
  cards: count,
  /** Runs that were open when it was made. */
  openRuns: count,
  findings,
})
