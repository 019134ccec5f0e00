import { randomUUID } from 'node:crypto'
import type { Dialect, WireEvent } from './dialect.ts'
import { sendEvents, sendJson } from './dialect.ts'
import { textIn } from './text-in.ts'

/** The usage of every reply, which tests compare. */
const USAGE = { input_tokens: 100, output_tokens: 20, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 }

export const anthropic: Dialect = {
  name: 'anthropic',
  matches: (path) => path.startsWith('/v1/messages'),
  read: ({ model, system, messages, tools }) => ({
    model: String(model),
    conversation: textIn([system, messages]),
    lastMessage: textIn((messages as readonly unknown[] | undefined)?.at(-1)),
    tools: ((tools ?? []) as readonly { name: string }[]).map(({ name }) => name),
  }),
  write: (response, reply, { model, stream }, path) => {
    if (path.includes('count_tokens')) return sendJson(response, 200, { input_tokens: 100 })
    const content: object[] = []
    if (reply.text !== undefined) content.push({ type: 'text', text: reply.text })
    if ('tool' in reply)
      content.push({ type: 'tool_use', id: `toolu_${randomUUID().slice(0, 12)}`, name: reply.tool, input: reply.input })
    const stop_reason = 'tool' in reply ? 'tool_use' : 'end_turn'
    const message = {
      id: `msg_${randomUUID().slice(0, 12)}`,
      type: 'message',
      role: 'assistant',
      model,
      stop_sequence: null,
    }
    if (stream !== true) return sendJson(response, 200, { ...message, content, stop_reason, usage: USAGE })
    const events: readonly WireEvent[] = [
      [
        'message_start',
        {
          type: 'message_start',
          message: { ...message, content: [], stop_reason: null, usage: { ...USAGE, output_tokens: 1 } },
        },
      ],
      ...content.flatMap((block, index) => blockEvents(block as Block, index)),
      [
        'message_delta',
        { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 20 } },
      ],
      ['message_stop', { type: 'message_stop' }],
    ]
    sendEvents(response, events, { isTorn: 'isTorn' in reply })
  },
  fail: (response, { status, headers, message = 'Number of request tokens has exceeded your rate limit' }) =>
    sendJson(response, status, { type: 'error', error: { type: kindOf(status), message } }, headers),
}

const kindOf = (status: number): string =>
  status === 429
    ? 'rate_limit_error'
    : status === 401
      ? 'authentication_error'
      : status === 529
        ? 'overloaded_error'
        : 'invalid_request_error'

type Block = { type: 'text'; text: string } | { type: 'tool_use'; id: string; name: string; input: unknown }

function blockEvents(block: Block, index: number): (readonly [string, unknown])[] {
  const start = block.type === 'text' ? { type: 'text', text: '' } : { ...block, input: {} }
  const delta =
    block.type === 'text'
      ? { type: 'text_delta', text: block.text }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) }
  return [
    ['content_block_start', { type: 'content_block_start', index, content_block: start }],
    ['content_block_delta', { type: 'content_block_delta', index, delta }],
    ['content_block_stop', { type: 'content_block_stop', index }],
  ]
}
