/** Asks a model for JSON. If the answer is not valid, describes the error to the model and asks once more. */
import * as z from 'zod'
import { addUsage } from '../../harnesses/stream/turn-summary.ts'
import { failure } from './answer.ts'
import type { ModelAnswer, ModelQuestion, ModelUsage, Transport, Turn } from './answer.ts'
import { parseAnswer } from './json-answer.ts'

export async function askModel<T>(
  transport: Transport,
  { instructions, input, schema, signal }: ModelQuestion<T>,
): Promise<ModelAnswer<T>> {
  const jsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  // Some endpoints ignore the schema in the request, so the instructions repeat it.
  const full = `${instructions}\n\nAnswer with one JSON object and nothing else. Its JSON schema:\n${JSON.stringify(jsonSchema)}`
  const turns: Turn[] = [{ role: 'user', text: input }]
  let usage: ModelUsage | null = null
  let fault = ''
  for (const isRepair of [false, true]) {
    signal.throwIfAborted()
    const reply = await transport.send({ instructions: full, turns, jsonSchema, signal })
    usage = sumOf(usage, reply.usage)
    if (!reply.ok) return { ...reply, usage }
    const parsed = parseAnswer(reply.text, schema)
    if (parsed.ok) return { ok: true, value: parsed.value, usage: usage ?? reply.usage }
    fault = parsed.fault
    if (!isRepair) turns.push({ role: 'assistant', text: reply.text }, { role: 'user', text: correction(fault) })
  }
  return failure(
    'bad_answer',
    `${transport.label} gave an answer that is not valid, twice: ${fault}. Try again, or choose another model.`,
    usage,
  )
}

const correction = (fault: string): string =>
  `Your answer is not valid: ${fault}. Answer again with the whole corrected JSON object and nothing else.`

const sumOf = (before: ModelUsage | null, now: ModelUsage | null): ModelUsage | null =>
  before === null || now === null ? (now ?? before) : { model: now.model, ...addUsage(before, now) }
