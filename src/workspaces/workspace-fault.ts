/** A card cannot be worked on where it asks to be; the sentence says why, and what to do about it. */
export class WorkspaceFault extends Error {
  override readonly name = 'WorkspaceFault'
}
