/**
 * Applies the command of a person on a running card. The command overrides the worker's verdict, which is still
 * recorded.
 */
import { isAgentName } from '../../actor.ts'
import type { EventDraft } from '../../event.ts'
import {
  FRESH_COUNTERS,
  archiveMove,
  blockMove,
  completeMove,
  deleteMove,
  renewTurns,
  scheduleMove,
} from '../../moves.ts'
import type { Move } from '../../moves.ts'
import { restoredStatus } from '../../gates/readiness.ts'
import type { Intent } from '../../run.ts'
import type { Task } from '../../task.ts'
import { firstLine } from '../../text.ts'
import type { Outcome } from '../../vocabulary.ts'
import { recordFiles } from '../files.ts'
import { isChecked, ignoredVerdict } from './settle-context.ts'
import type { SettleContext, Settlement } from './settle-context.ts'
import { fail } from './fail.ts'

export function applyIntent(context: SettleContext, intent: Intent): Settlement {
  const { task, run, settings, now } = context
  const { by, reason } = intent
  const end = (outcome: Outcome, move: Move): Settlement => ({
    outcome,
    // The person decided that the card continues, so the goal gets all of its turns back if they were used.
    move: { ...move, patch: { ...renewTurns(task), ...move.patch } },
    handOff: { summary: intent.summary ?? reason, metadata: intent.metadata },
    error: null,
    events: ignoredVerdict(context),
  })
  const previousStatus = restoredStatus(task, run.fromStatus)
  const inReview = run.fromStatus === 'review'
  switch (intent.verb) {
    case 'complete':
    case 'approve':
      return intent.force === null && !isChecked(context)
        ? unchecked(context, previousStatus, end)
        : finished(context, intent, end)
    case 'block': {
      const request = { kind: intent.blockKind ?? 'needs_input', reason: reason ?? 'blocked by a person', by }
      return end('blocked', blockMove(task, request, { settings, now, runId: run.id, inReview }))
    }
    case 'schedule':
      return end('stopped', scheduleMove(task, { at: intent.scheduledAt, reason, runId: run.id, inReview }))
    case 'archive':
      return end('stopped', archiveMove(task, previousStatus, run.id))
    case 'delete':
      return end('stopped', deleteMove(task, { from: previousStatus, by, now, runId: run.id }))
    case 'reclaim':
      return end('reclaimed', reclaimMove(context, intent, previousStatus))
    case 'stop':
      return { ...fail(context, 'stopped', reason, by), handOff: { summary: reason, metadata: null } }
  }
}

type Ended = (outcome: Outcome, move: Move) => Settlement

/**
 * Settles a run that a person completed, but whose checks did not pass. The card returns to its earlier status, and no
 * failure of the card is counted.
 */
function unchecked({ task, run, input }: SettleContext, status: Task['status'], end: Ended): Settlement {
  const { exitCode, signal } = input.ending
  const error = input.ending.error ?? run.checks?.output ?? 'the checks did not pass before the run ended'
  const data = { error: firstLine(error, 400), failures: task.consecutiveFailures, exitCode, signal }
  const events: EventDraft[] = [{ kind: 'checks_failed', taskId: task.id, runId: run.id, data }]
  return { ...end('checks_failed', { patch: { status }, events }), error }
}

function finished({ task, run, now }: SettleContext, intent: Intent, end: Ended): Settlement {
  const { by, force, files } = intent
  const artifacts = files.map(({ filename }) => filename)
  const forced = force === null ? {} : { forced: force }
  const approval = run.fromStatus === 'review' ? { reviewer: by } : null
  const move = completeMove(task, intent, {
    now,
    runId: run.id,
    artifacts,
    approval,
    keepsAttempts: isAgentName(by),
    ...forced,
  })
  const attached = recordFiles(task, files, { by, runId: run.id, now })
  const events = [...attached.events, ...move.events]
  return { ...end('completed', { ...move, events }), changes: attached.changes }
}

const reclaimMove = ({ task, run }: SettleContext, { by, reason, assignee }: Intent, status: Task['status']): Move => ({
  patch: { ...FRESH_COUNTERS, status, assignee: assignee ?? task.assignee },
  events: [{ kind: 'reclaimed', taskId: task.id, runId: run.id, data: { reason, by } }],
})
