import * as z from 'zod'
import { backupView } from './create-backup.schema.ts'

export const input = z.object({})
export const output = z.array(backupView)
