import * as z from 'zod'
import { eventView } from '../shared/views.ts'

const cursor = z.string().describe('Where the feed stands after it')

export const followed = z.union([eventView.extend({ cursor }), z.object({ kind: z.literal('resync'), cursor })])
