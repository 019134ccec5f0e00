import type { LegalMove, MoveOperation } from '../../../../src/core/destinations/destination.ts'
import type { CardCall, CallName } from './card-call.ts'

const NAMES: Readonly<Record<MoveOperation, CallName>> = {
  answer: 'answer',
  approve: 'approve',
  archive: 'archive',
  block: 'block',
  complete: 'complete',
  promote: 'promote',
  reclaim: 'reclaim',
  reopen: 'reopen',
  'request-changes': 'requestChanges',
  'request-review': 'requestReview',
  schedule: 'schedule',
  stop: 'stop',
  unarchive: 'unarchive',
  unblock: 'unblock',
  update: 'update',
}

/** Builds the call for a move. It includes the text that the person entered. */
export function callOf({ operation, input, asks }: LegalMove, text = ''): CardCall {
  const { task: _, ...fields } = input
  const given = asks === null || asks.field === 'confirm' || text === '' ? {} : { [asks.field]: text }
  // The cast is safe, because core and the routes use the same names for operations and fields.
  return { name: NAMES[operation], input: { ...fields, ...given } } as CardCall
}
