import * as z from 'zod'
import { STATE_TYPES } from './run-state.ts'

export const runState = {
  stateType: z.enum(STATE_TYPES).exactOptional().describe('Choose runs by status or by outcome'),
  stateName: z.string().exactOptional().describe('That status (running, ended) or outcome'),
}
