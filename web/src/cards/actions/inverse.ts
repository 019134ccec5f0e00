/** Finds the call that undoes a change of a card. The functions are pure. */
import { followsParents, isReady, isRunning, isScheduled } from '../../../../src/core/status.ts'
import type { BoardCard } from '../../api/queries.ts'
import type { CardCall } from './card-call.ts'

type Before = Pick<
  BoardCard,
  'status' | 'assignee' | 'priority' | 'labels' | 'held' | 'scheduledAt' | 'openParents' | 'resumeStatus'
>

/**
 * Returns the call that restores the card. Null means that the change cannot be undone, for example if it stopped an
 * agent.
 */
export function inverseOf(call: CardCall, before: Before): CardCall | null {
  if (isRunning(before.status)) return null
  switch (call.name) {
    case 'delete':
      return { name: 'undelete', input: {} }
    case 'archive':
      return { name: 'unarchive', input: {} }
    case 'unarchive':
      return { name: 'archive', input: {} }
    case 'hold':
      return before.held ? null : { name: 'release', input: {} }
    case 'release':
      return before.held ? { name: 'hold', input: {} } : null
    case 'assign':
      return { name: 'assign', input: { assignee: before.assignee } }
    case 'edit':
      return editBack(call.input, before)
    case 'block':
      return { name: 'unblock', input: {} }
    case 'unblock':
    case 'schedule':
      return rescheduled(call, before)
    case 'complete':
      return isReady(before.status) ? { name: 'reopen', input: {} } : null
    default:
      return null
  }
}

function editBack(
  input: { readonly priority?: number | undefined; readonly labels?: readonly string[] | undefined },
  { priority, labels }: Before,
): CardCall | null {
  const back = {
    ...(input.priority !== undefined && { priority }),
    ...(input.labels !== undefined && { labels }),
  }
  return Object.keys(back).length === Object.keys(input).length ? { name: 'edit', input: back } : null
}

/**
 * Returns the call that restores a scheduled card. If the card had a time, the call schedules it again. Otherwise the
 * call lets the card start.
 */
function rescheduled({ name }: CardCall, { status, scheduledAt }: Before): CardCall | null {
  if (isScheduled(status)) return { name: 'schedule', input: { at: scheduledAt } }
  return name === 'schedule' && followsParents(status) ? { name: 'unblock', input: {} } : null
}
