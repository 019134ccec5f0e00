import type { Dialect } from './dialect.ts'
import { sendEvents, sendJson } from './dialect.ts'
import { textIn } from './text-in.ts'

const USAGE = { promptTokenCount: 100, candidatesTokenCount: 20, totalTokenCount: 120 }

/** The names of HTTP statuses in replies. Any other status is named INVALID_ARGUMENT. */
const STATUS: Readonly<Record<number, string>> = { 401: 'UNAUTHENTICATED', 429: 'RESOURCE_EXHAUSTED' }

interface ToolGroup {
  readonly functionDeclarations?: readonly { readonly name: string }[]
}

export const gemini: Dialect = {
  name: 'gemini',
  matches: (path) => /:(?:stream)?generateContent|:countTokens/i.test(path),
  read: ({ systemInstruction, contents, tools }, path) => ({
    model: /models\/([^:]+):/.exec(path)?.[1] ?? '',
    conversation: textIn([systemInstruction, contents]),
    lastMessage: textIn((contents as readonly unknown[] | undefined)?.at(-1)),
    tools: ((tools ?? []) as readonly ToolGroup[]).flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name }) => name),
    ),
  }),
  write: (response, reply, { generationConfig }, path) => {
    if (path.includes(':countTokens')) return sendJson(response, 200, { totalTokens: 100 })
    const wantsJson =
      (generationConfig as { responseMimeType?: string } | undefined)?.responseMimeType === 'application/json'
    const parts: object[] = []
    // Gemini CLI first asks a small model which model to use.
    if (wantsJson)
      parts.push({
        text: JSON.stringify({
          reasoning: 'simple',
          model_choice: 'pro',
          complexity_score: 10,
          complexity_reasoning: 'simple',
        }),
      })
    else {
      if (reply.text !== undefined) parts.push({ text: reply.text })
      if ('tool' in reply) parts.push({ functionCall: { name: reply.tool, args: reply.input } })
    }
    const answer = {
      candidates: [
        { content: { role: 'model', parts }, ...('isTorn' in reply ? {} : { finishReason: 'STOP' }), index: 0 },
      ],
      usageMetadata: USAGE,
      modelVersion: 'scripted',
    }
    if (!path.includes(':streamGenerateContent')) return sendJson(response, 200, answer)
    sendEvents(response, [[null, answer]], { isTorn: 'isTorn' in reply })
  },
  fail: (response, { status, headers, message = 'Quota exceeded' }) =>
    sendJson(
      response,
      status,
      { error: { code: status, message, status: STATUS[status] ?? 'INVALID_ARGUMENT' } },
      headers,
    ),
}
