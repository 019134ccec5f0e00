/** A reason given with an act that lets a card go on, as the answer that its next worker reads. */
import type { Answer } from '../core/answer.ts'
import { newCommentId } from '../util/mint.ts'

export const giveAnswer = (reason: string | null): { readonly answer: Answer } => ({
  answer: reason === null ? null : { id: newCommentId(), text: reason },
})
