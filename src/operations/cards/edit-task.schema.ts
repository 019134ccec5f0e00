import * as z from 'zod'
import { bodyField, branchField, skillsField, titleField, workspaceField } from '../../core/input/card-input.ts'
import { duration, json, line, name, text } from '../../core/input/fields.ts'
import { typedCard } from '../shared/card-fields.ts'
import { taskView } from '../shared/views.ts'

/** What is left out stays; null clears what may be empty. */
export const input = z.object({
  task: typedCard,
  title: titleField.exactOptional().describe('What is to be done, in a line'),
  body: bodyField.nullable().exactOptional().describe('The rest of what is to be done'),
  priority: z.int().exactOptional().describe('Higher starts sooner'),
  tenant: line.nullable().exactOptional().describe('Whom it is for'),
  session: line.nullable().exactOptional().describe('The session it belongs to'),
  workflow: line.nullable().exactOptional().describe('The workflow it belongs to'),
  step: line.nullable().exactOptional().describe('Its step in the workflow'),
  workspace: workspaceField.exactOptional().describe('Where it is worked on; until somebody has worked on it'),
  branch: branchField.nullable().exactOptional().describe('The branch of its worktree'),
  skills: skillsField.nullable().exactOptional().describe('Skills of this card; null: those of its agent'),
  model: line.nullable().exactOptional().describe('The model its agent uses'),
  provider: line.nullable().exactOptional().describe('Who serves that model'),
  effort: line.nullable().exactOptional().describe('How hard the model thinks'),
  reviewer: name.nullable().exactOptional().describe('The agent that reviews it'),
  maxRuntimeMs: duration.min(1).nullable().exactOptional().describe('How long a run may take'),
  maxRetries: z.int().min(1).nullable().exactOptional().describe('Failures in a row that open the breaker'),
  checks: z.array(line).exactOptional().describe('Commands that must pass before it is done'),
  result: text.exactOptional().describe('What came out of it; of a finished card'),
  summary: text.exactOptional().describe('What changed; of a finished card'),
  metadata: json.exactOptional().describe('A JSON object to keep with the card; of a finished card'),
  resetFailures: z.boolean().default(false).describe('Forget its failures'),
  freshWorkspace: z.boolean().default(false).describe('Start again without its files, which are on another machine'),
  clearClaim: z.boolean().default(false).describe('Take it from its worker, as reclaim does'),
})
export const output = taskView
