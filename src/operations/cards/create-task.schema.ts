import * as z from 'zod'
import { checkTogether, createShape } from '../../core/input/card-input.ts'
import { askedWorkspace } from '../../core/input/card-values.ts'
import { taskView } from '../shared/views.ts'

const whole = z.object({
  ...createShape,
  parents: z.array(z.string()).default([]).describe('Cards that must finish first, or the beginnings of their ids'),
  workspace: askedWorkspace
    .nullable()
    .default(null)
    .describe('The folder it works in; null: scratch, or inside a run the folder of the run’s card'),
  triage: z.boolean().default(false).describe('A rough idea, to be specified before it starts'),
  blocked: z.boolean().default(false).describe('Block it at once: it waits for a person'),
})
export const input = whole.superRefine(checkTogether)

export const output = z.object({
  task: taskView,
  /** False if a card with this idempotency key exists. */
  created: z.boolean(),
  /** The fields in which that card differs from the input. */
  differs: z.array(z.string()).readonly(),
  /** A warning for the author: the agent is unknown here. */
  warning: z.string().nullable(),
})
