import * as z from 'zod'
import { count, time } from '../../core/input/fields.ts'

export const backupView = z.object({ name: z.string(), path: z.string(), bytes: count, createdAt: time })

/** The input of every command that reads a backup. */
export const typedBackup = z.string().describe('A name that backup list shows, or a path')
