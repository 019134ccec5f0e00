import * as z from 'zod'
import { count, time } from '../../core/input/fields.ts'

export const backupView = z.object({ name: z.string(), path: z.string(), bytes: count, createdAt: time })

/** Shared by all commands that read a backup. */
export const typedBackup = z.string().describe('A name that backup list shows, or a path')
