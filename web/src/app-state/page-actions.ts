/** The actions that a page offers for the chosen cards. The palette asks the page for them when it opens. */
import type { ReactNode } from 'react'

export interface PageAction {
  readonly key: string
  readonly label: string
  /** Further search words for the action. */
  readonly words?: string
  readonly icon?: ReactNode
  readonly onChoose: () => void
}

export interface PageActions {
  /** The title of the card, or the number of cards. */
  readonly about: string
  readonly actions: readonly PageAction[]
}

type Provider = () => PageActions | null

let provider: Provider | null = null

/** Sets the provider. Returns the function that removes it. */
export function providePageActions(next: Provider): () => void {
  provider = next
  return () => {
    if (provider === next) provider = null
  }
}

export const pageActionsNow = (): PageActions | null => provider?.() ?? null
