import { input as approval, output as approved } from './approve-commands.schema.ts'

export const input = approval.pick({ task: true })
/** The card as it is now: nothing was changed. */
export const output = approved
