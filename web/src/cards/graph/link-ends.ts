/** The card `child` waits for the card `parent`. */
export interface LinkEnds {
  readonly parent: string
  readonly child: string
}
