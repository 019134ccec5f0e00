import * as z from 'zod'
import { answerField, answerReason, recordAnswer } from '../briefing/answer.ts'
import { accept, defineVerb } from '../decision.ts'
import { taskId } from '../input/fields.ts'
import { FRESH_COUNTERS, NOT_BLOCKED, forgetRejections } from '../moves.ts'
import { readyOrTodo } from '../gates/readiness.ts'
import { accepts } from '../status.ts'
import {
  taskIfMayCloseBreaker,
  dropTakenKey,
  isRefused,
  isRepeated,
  keyHolder,
  taskResult,
  workspaceSweeping,
  wrongStatus,
} from './guards.ts'

/**
 * Returns a finished card or a card in review to work. Waived links count again, and the card's children wait for the
 * card again.
 */
export const reopen = defineVerb({
  name: 'reopen',
  input: z.object({ task: taskId, answer: answerField }),
  scope: ({ task }) => ({ tasks: [task], movesChildren: true, graph: true }),
  facts: ({ rows, input: { task, answer } }) => ({
    openParents: { fact: 'unsatisfied_parents' as const, child: task },
    sweeping: { fact: 'sweeping_parent' as const, child: task },
    existing: { fact: 'comment' as const, id: answer?.id ?? null },
    ...keyHolder(rows, task),
  }),
  decide: ({ rows, facts, input, actor, now }) => {
    const task = taskIfMayCloseBreaker(rows, input.task, actor)
    if (isRefused(task)) return task
    if (isRepeated(task, facts.existing)) return accept(taskResult(task))
    if (!accepts(task.status, 'reopen')) return wrongStatus(task, 'reopen', 'done, archived or in review')
    const sweeping = task.workspace.state === 'sweeping' ? task.id : facts.sweeping
    if (sweeping !== null) return workspaceSweeping(sweeping)
    // Reopening removes the waivers, so all unfinished parents count.
    const status = readyOrTodo({ ...task, openParents: facts.openParents.length })
    return accept(taskResult(task, status), {
      changes: [
        {
          op: 'update_task',
          id: task.id,
          patch: {
            ...FRESH_COUNTERS,
            ...NOT_BLOCKED,
            ...forgetRejections(task),
            ...dropTakenKey(facts.holder),
            status,
            completedAt: null,
            archivedFrom: null,
          },
        },
        { op: 'clear_waivers', childId: task.id },
        ...recordAnswer(task, input.answer, { verb: 'reopen', actor, now }),
      ],
      events: [
        { kind: 'reopened', taskId: task.id, data: { from: task.status, status, reason: answerReason(input.answer) } },
      ],
    })
  },
})
