/** Apart from what is asked of an actor: the guard of a run needs that, and no schema. */
import * as z from 'zod'
import { line, runId, taskId } from './input/fields.ts'

/** Who asks. Set by the surface from what it knows of the caller, never from the request itself. */
export const actorSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('person'), name: line }),
  z.object({ kind: z.literal('orchestrator'), name: line, taskId: taskId.nullable(), runId: runId.nullable() }),
  z.object({ kind: z.literal('worker'), name: line, taskId, runId }),
  z.object({ kind: z.literal('board'), name: line }),
])
export type Actor = z.infer<typeof actorSchema>
