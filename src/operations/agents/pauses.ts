/** Finds the machine, board, agent or account that a command pauses or resumes, and lists the current pauses. */
import { isPaused, isSlotPaused } from '../../core/gates/admission.ts'
import { BoardError } from '../../core/errors.ts'
import type { Store } from '../../storage/store.ts'
import { thisHost } from '../../processes/identity.ts'
import type { BoardContext } from '../shared/operation.ts'
import type { Pause } from './views.ts'
import { requireBoard } from '../boards/require-board.ts'

export const PAUSABLE = ['board', 'agent', 'account', 'machine'] as const
export type Pausable = (typeof PAUSABLE)[number]

export interface PauseTarget {
  readonly kind: Pausable
  readonly name: string
}

/**
 * Finds the machine, board, agent or account to pause or resume. Without a name, `board` means the current board and
 * `machine` means this machine. Agents and accounts need a name.
 */
export async function findPauseTarget(
  { store, board }: Pick<BoardContext, 'store' | 'board'>,
  { kind = 'board', name }: { readonly kind?: Pausable; readonly name?: string },
): Promise<PauseTarget> {
  if (kind === 'machine') return { kind, name: name ?? thisHost().machine.id }
  const named = name?.trim().toLowerCase() ?? ''
  if (kind === 'board') {
    await requireBoard(store, named === '' ? board : named)
    return { kind, name: named === '' ? board : named }
  }
  if (named === '') throw new BoardError('invalid_input', `Name the ${kind}: muster pause ${kind} '…'.`)
  return { kind, name: named }
}

/** The current pauses. The store may still have expired pauses, which are left out. */
export async function pausesNow(store: Pick<Store, 'slots' | 'accounts' | 'now'>): Promise<readonly Pause[]> {
  const [slots, accounts, now] = await Promise.all([store.slots(), store.accounts(), store.now()])
  const slotPauses = slots
    .filter((slot) => isSlotPaused(slot, now))
    .map(({ kind, name, pausedAt, pausedBy, pauseReason, pausedUntil }): Pause => ({
      kind,
      name,
      cause: null,
      by: pausedBy,
      since: pausedAt ?? now,
      until: pausedUntil,
      reason: pauseReason,
    }))
  const accountPauses = accounts
    .filter((account) => isPaused(account, now))
    .map(({ name, pauseCause, pausedBy, pausedUntil, pauseReason, updatedAt }): Pause => ({
      kind: 'account',
      name,
      cause: pauseCause,
      by: pausedBy,
      since: updatedAt,
      until: pausedUntil,
      reason: pauseReason,
    }))
  return [...slotPauses, ...accountPauses]
}

export const findPause = async (store: Store, { kind, name }: PauseTarget): Promise<Pause | null> =>
  (await pausesNow(store)).find((pause) => pause.kind === kind && pause.name === name) ?? null
