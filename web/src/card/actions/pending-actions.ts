/** Commands that wait for a run to end. The server answers before the run ends, so the result appears later. */
import { makeValue } from '../../app-state/value.ts'
import type { CardRun } from '../card-details.ts'
import type { CardAction } from './legal-actions.ts'

export interface PendingAction {
  readonly card: string
  readonly run: string
  readonly action: CardAction
}

export const pendingActions = makeValue<readonly PendingAction[]>([])

export const notePending = (pending: PendingAction): void =>
  pendingActions.set([...pendingActions.get().filter(({ run }) => run !== pending.run), pending])

export const forgetPending = (run: string): void =>
  pendingActions.set(pendingActions.get().filter((pending) => pending.run !== run))

/** The outcome of a run that this command ended. All other commands end a run as `stopped`. */
const OUTCOMES: Partial<Record<CardAction, CardRun['outcome']>> = {
  approve: 'completed',
  'force-approve': 'completed',
  complete: 'completed',
  block: 'blocked',
  reclaim: 'reclaimed',
}

export const wasApplied = (action: CardAction, { outcome }: Pick<CardRun, 'outcome'>): boolean =>
  outcome === (OUTCOMES[action] ?? 'stopped')
