import * as z from 'zod'
import { accept, defineVerb, refuse } from '../decision.ts'
import type { Decision } from '../decision.ts'
import { line, taskId } from '../input/fields.ts'
import { findTask, isRefused } from './guards.ts'

const MESSAGE =
  'Scratch folders are temporary: once this card and those after it are finished, its folder goes. Declare what should ' +
  'stay (muster complete --artifact). Or work in a place of your own (muster create --workspace dir:/path).'

/** Tells that scratch folders are temporary, on the first card that works in one: once for every install, whoever asks. */
export const explainScratch = defineVerb({
  name: 'explain_scratch',
  /** The machine and the home: several may share a store. */
  input: z.object({ task: taskId, install: line }),
  scope: ({ task }) => ({ tasks: [task] }),
  facts: ({ input: { install } }) => ({ told: { fact: 'told' as const, about: aboutScratch(install) } }),
  decide: ({ rows, facts, input, actor }): Decision<{ readonly told: string | null }> => {
    const task = findTask(rows, input.task)
    if (isRefused(task)) return task
    if (actor.kind === 'worker') return refuse('not_allowed', 'A worker explains nothing.', { id: task.id })
    if (facts.told || task.workspace.kind !== 'scratch') return accept({ told: null })
    return accept(
      { told: MESSAGE },
      {
        changes: [{ op: 'note_told', about: aboutScratch(input.install) }],
        events: [{ kind: 'scratch_explained', taskId: task.id, runId: task.currentRunId, data: { message: MESSAGE } }],
      },
    )
  },
})

const aboutScratch = (install: string): string => `scratch on ${install}`
