/** Asks a model whether the work on a card meets its task. */
import * as z from 'zod'
import type { Model, ModelFailureKind, ModelUsage } from '../models/model.ts'
import { JUDGE_INSTRUCTIONS, judgeInput } from './prompt.ts'
import type { JudgeQuestion } from './prompt.ts'

const answerSchema = z.object({
  answer: z.enum(['done', 'continue', 'impossible']),
  reason: z.string().describe('One or two sentences'),
  missing: z
    .array(z.string())
    .default([])
    .describe('The points that are missing, one per entry; empty unless continue'),
})

export type JudgeReply =
  | ({ readonly kind: 'judged'; readonly usage: ModelUsage } & z.infer<typeof answerSchema>)
  | {
      readonly kind: 'unavailable'
      readonly message: string
      /** Whether a later request may succeed without a change of the settings. */
      readonly mayRecover: boolean
      readonly usage: ModelUsage | null
    }

/** Only a person can fix these failures, so a retry would only delay the message. */
export const LASTING: readonly ModelFailureKind[] = ['unconfigured', 'auth']

export async function askJudge(model: Model, question: JudgeQuestion, signal: AbortSignal): Promise<JudgeReply> {
  const answer = await model.ask({
    instructions: JUDGE_INSTRUCTIONS,
    input: judgeInput(question),
    schema: answerSchema,
    signal,
  })
  if (answer.ok) return { kind: 'judged', ...answer.value, usage: answer.usage }
  const { kind, message, usage } = answer
  return { kind: 'unavailable', message, mayRecover: !LASTING.includes(kind), usage }
}
