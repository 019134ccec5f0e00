/** Turns the reason given with `unblock`, `reopen` or `promote` into the answer that the next worker reads. */
import type { GivenAnswer } from '../../core/briefing/answer.ts'
import { newCommentId } from '../../util/mint.ts'

export const giveAnswer = (reason: string | null): { readonly answer: GivenAnswer } => ({
  answer: reason === null ? null : { id: newCommentId(), text: reason },
})
