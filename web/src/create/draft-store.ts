/** Stores the draft of each board in this browser. It survives a reload and the closing of the dialog. */
import type { Prefill } from '../routes/create-address.ts'
import { EMPTY_DRAFT, isEmptyDraft, readDraft, withPrefill } from './draft.ts'
import type { Draft } from './draft.ts'

const keyOf = (board: string): string => `muster-new-card:${board}`

/**
 * The storage key for the values with which this tab opened the dialog. After a reload, the URL still contains these
 * values, but the person may have changed them.
 */
const OPENED = 'muster-new-card-opened'

export const storedDraft = (board: string): Draft => readDraft(localStorage.getItem(keyOf(board)) ?? '') ?? EMPTY_DRAFT

/** Returns the draft with which the dialog starts. */
export function openDraft(board: string, prefill: Prefill): Draft {
  const draft = storedDraft(board)
  return sessionStorage.getItem(OPENED) === JSON.stringify(prefill) ? draft : withPrefill(draft, prefill)
}

export const noteOpened = (opened: string): void => sessionStorage.setItem(OPENED, opened)

/** Notes that the dialog was closed. When it opens again, it applies the values of the URL again. */
export const noteClosed = (): void => sessionStorage.removeItem(OPENED)

export function keepDraft(board: string, draft: Draft): void {
  try {
    if (isEmptyDraft(draft)) localStorage.removeItem(keyOf(board))
    else localStorage.setItem(keyOf(board), JSON.stringify(draft))
  } catch {
    // The storage is full, but the draft is still in the dialog.
  }
}
