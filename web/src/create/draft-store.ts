/** Stores the draft of each board in this browser, so that neither a reload nor closing the dialog loses it. */
import type { Prefill } from '../routes/create-address.ts'
import { EMPTY_DRAFT, isEmptyDraft, readDraft, withPrefill } from './draft.ts'
import type { Draft } from './draft.ts'

const keyOf = (board: string): string => `muster-new-card:${board}`

/**
 * The key for the values with which the dialog was opened in this tab. After a reload the URL still has these values,
 * but the person may have changed them since.
 */
const OPENED = 'muster-new-card-opened'

export const storedDraft = (board: string): Draft => readDraft(localStorage.getItem(keyOf(board)) ?? '') ?? EMPTY_DRAFT

/** The draft to begin with. */
export function openDraft(board: string, prefill: Prefill): Draft {
  const draft = storedDraft(board)
  return sessionStorage.getItem(OPENED) === JSON.stringify(prefill) ? draft : withPrefill(draft, prefill)
}

export const noteOpened = (opened: string): void => sessionStorage.setItem(OPENED, opened)

/** Notes that the dialog was closed, so that the next opening applies its values again. */
export const noteClosed = (): void => sessionStorage.removeItem(OPENED)

export function keepDraft(board: string, draft: Draft): void {
  try {
    if (isEmptyDraft(draft)) localStorage.removeItem(keyOf(board))
    else localStorage.setItem(keyOf(board), JSON.stringify(draft))
  } catch {
    // The storage is full, but the draft is still in the dialog.
  }
}
