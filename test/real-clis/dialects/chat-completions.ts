import { randomUUID } from 'node:crypto'
import type { Dialect } from './dialect.ts'
import { sendEvents, sendJson } from './dialect.ts'
import { textIn } from './text-in.ts'

const USAGE = { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 }

export const chatCompletions: Dialect = {
  name: 'chat-completions',
  matches: (path) => path.startsWith('/v1/chat/completions'),
  read: ({ model, messages, tools }) => ({
    model: String(model),
    conversation: textIn(messages),
    lastMessage: textIn((messages as readonly unknown[] | undefined)?.at(-1)),
    tools: ((tools ?? []) as readonly { function: { name: string } }[]).map(({ function: { name } }) => name),
  }),
  write: (response, reply, { model, stream }) => {
    const head = { id: `chatcmpl-${randomUUID().slice(0, 12)}`, object: 'chat.completion.chunk', created: 1, model }
    const call =
      'tool' in reply
        ? [
            {
              index: 0,
              id: `call_${randomUUID().slice(0, 12)}`,
              type: 'function',
              function: { name: reply.tool, arguments: JSON.stringify(reply.input) },
            },
          ]
        : undefined
    const finish_reason = call === undefined ? 'stop' : 'tool_calls'
    const message = {
      role: 'assistant',
      content: reply.text ?? null,
      ...(call === undefined ? {} : { tool_calls: call }),
    }
    if (stream !== true)
      return sendJson(response, 200, {
        ...head,
        object: 'chat.completion',
        choices: [{ index: 0, message, finish_reason }],
        usage: USAGE,
      })
    sendEvents(
      response,
      [
        [null, { ...head, choices: [{ index: 0, delta: message, finish_reason: null }] }],
        [null, { ...head, choices: [{ index: 0, delta: {}, finish_reason }], usage: USAGE }],
      ],
      { end: '[DONE]', isTorn: 'isTorn' in reply },
    )
  },
  fail: (response, { status, headers, message = 'Rate limit reached' }) =>
    sendJson(response, status, { error: { message, type: 'rate_limit_error', code: status } }, headers),
}
