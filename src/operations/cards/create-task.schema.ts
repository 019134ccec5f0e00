import * as z from 'zod'
import { cardFields as fields, checkTogether, workspaceField } from '../../core/input/card-input.ts'
import { taskView } from '../shared/views.ts'

const whole = z.object({
  title: fields.title.describe('What is to be done, in a line'),
  body: fields.body.describe('Everything else that whoever works on it must know'),
  assignee: fields.assignee.describe('The agent that does it; null: nobody yet'),
  parents: z.array(z.string()).default([]).describe('Cards that must be done first, or the beginnings of their ids'),
  priority: fields.priority.describe('Higher starts sooner'),
  tenant: fields.tenant.describe(
    'Whom it is for; null: as its own card inside a run, or the first parent that has one',
  ),
  session: fields.session.describe('The session it came from; null: inside a run that of its own card'),
  workflow: fields.workflow.describe('The workflow it is a part of'),
  step: fields.step.describe('Its step in that workflow'),
  idempotencyKey: fields.idempotencyKey.describe('A second create with this key makes no second card'),
  workspace: workspaceField
    .nullable()
    .default(null)
    .describe('Where it is worked on; null: scratch, and inside a run where its own card is'),
  branch: fields.branch.describe('The branch of its worktree'),
  skills: fields.skills.describe('Skills that its runs get; null: those of the agent'),
  model: fields.model.describe('The model, instead of the one of the agent'),
  provider: fields.provider.describe('Who serves that model'),
  effort: fields.effort.describe('How hard the model is to think'),
  reviewer: fields.reviewer.describe('Who reviews it; null: the reviewer of the board'),
  maxRuntimeMs: fields.maxRuntimeMs.describe('How long a run may take'),
  maxRetries: fields.maxRetries.describe('Failures in a row after which a person is asked; null: as the board says'),
  checks: fields.checks.describe('Commands that must pass before it is done'),
  scheduledAt: fields.scheduledAt.describe('Not before this moment'),
  triage: fields.triage.describe('A rough idea: it waits until somebody has made it clear'),
  blocked: fields.blocked.describe('It waits for a person from the start'),
  held: fields.held.describe('Do not start it before it is released'),
})
export const input = whole.superRefine(checkTogether)

export const output = z.object({
  task: taskView,
  /** False when the idempotency key named a card that was there. */
  created: z.boolean(),
  /** In what that card differs from what was asked for. */
  differs: z.array(z.string()).readonly(),
  /** What its author should know: nobody of that name is here. */
  warning: z.string().nullable(),
})
