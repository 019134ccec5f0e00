import * as z from 'zod'
import { line } from '../../core/input/fields.ts'
import { PAUSABLE } from './pauses.ts'

/** What a pause is of. */
export const placeFields = {
  kind: z.enum(PAUSABLE).exactOptional().describe('What: board, agent, account or machine'),
  name: line.exactOptional().describe('Which; else the current board, or this machine'),
}
