import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Decision } from '../decision.ts'
import { line, taskId } from '../input/fields.ts'
import { findTask, isRefused } from './guards.ts'

const MESSAGE =
  'Scratch folders are temporary: this one is deleted after the card and its children finish. Keep files with ' +
  'muster complete --artifact, or work in a folder of your own with muster create --workspace dir:/path.'

/**
 * Explains that scratch folders are temporary. Muster shows this explanation once per installation, for the first card
 * that works in a scratch folder.
 */
export const explainScratch = defineVerb({
  name: 'explain_scratch',
  /** `install` names the machine and the data folder, because several installations may share a store. */
  input: z.object({ task: taskId, install: line }),
  scope: ({ task }) => ({ tasks: [task] }),
  facts: ({ input: { install } }) => ({ isShown: { fact: 'notice_shown' as const, about: scratchNotice(install) } }),
  decide: ({ rows, facts, input, actor }): Decision<{ readonly notice: string | null }> => {
    const task = findTask(rows, input.task)
    if (isRefused(task)) return task
    if (actor.kind === 'worker') return refuse('not_allowed', 'A worker may not show this notice.', { id: task.id })
    if (facts.isShown || task.workspace.kind !== 'scratch') return accept({ notice: null })
    return accept(
      { notice: MESSAGE },
      {
        changes: [{ op: 'record_notice', about: scratchNotice(input.install) }],
        events: [{ kind: 'scratch_explained', taskId: task.id, runId: task.currentRunId, data: { message: MESSAGE } }],
      },
    )
  },
})

const scratchNotice = (install: string): string => `scratch on ${install}`
