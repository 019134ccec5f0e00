/** A piece of the sentence for an event. A screen shows a card as a link, and a name in bold. */
export type EventPiece =
  | string
  /** The name of a person, agent, file or branch. */
  | { readonly is: 'name'; readonly text: string }
  /** A card. `isOwn` is true if the event is about this card. */
  | { readonly is: 'card'; readonly id: string; readonly isOwn: boolean }
