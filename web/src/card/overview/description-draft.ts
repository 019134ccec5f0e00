/**
 * The draft of a description. It also stores the description from which the person started. So the page notices if
 * someone else changes the card, and no text is lost.
 */

export interface DescriptionDraft {
  readonly text: string
  /** The description when the person started, or when they last compared the two versions. */
  readonly base: string
}

const keyOf = (card: string): string => `muster-draft:${card}:body`

export function readDescriptionDraft(card: string): DescriptionDraft | null {
  try {
    const stored = JSON.parse(localStorage.getItem(keyOf(card)) ?? 'null') as unknown
    if (typeof stored !== 'object' || stored === null) return null
    const { text, base } = stored as Partial<Record<keyof DescriptionDraft, unknown>>
    return typeof text === 'string' && typeof base === 'string' ? { text, base } : null
  } catch {
    return null
  }
}

export function keepDescriptionDraft(card: string, draft: DescriptionDraft | null): void {
  try {
    if (draft === null || draft.text === draft.base) localStorage.removeItem(keyOf(card))
    else localStorage.setItem(keyOf(card), JSON.stringify(draft))
  } catch {
    // The storage is full, but the text is still in its field.
  }
}

/** Whether the description of the card has changed since then. */
export const isOvertaken = ({ text, base }: DescriptionDraft, current: string): boolean =>
  current !== base && current !== text

/** Returns the draft after the person saw the changed description and kept their own text. */
export const keepMine = ({ text }: DescriptionDraft, current: string): DescriptionDraft => ({ text, base: current })
