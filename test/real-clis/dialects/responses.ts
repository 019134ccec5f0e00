import { randomUUID } from 'node:crypto'
import type { Dialect, WireEvent } from './dialect.ts'
import { sendEvents, sendJson } from './dialect.ts'
import { textIn } from './text-in.ts'

const USAGE = {
  input_tokens: 100,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 20,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 120,
}

interface OfferedTool {
  readonly type?: string
  readonly name?: string
  readonly tools?: readonly OfferedTool[]
}

/** Returns the names of tools. A tool may be in a namespace. The model calls such a tool as `namespace/name`. */
const namesOf = (tools: readonly OfferedTool[], within = ''): readonly string[] =>
  tools.flatMap(({ name = '', type = '', tools: inner }) =>
    inner === undefined ? [`${within}${name === '' ? type : name}`] : namesOf(inner, `${name}/`),
  )

export const responses: Dialect = {
  name: 'responses',
  matches: (path) => path.startsWith('/v1/responses'),
  read: ({ model, instructions, input, tools }) => ({
    model: String(model),
    conversation: textIn([instructions, input]),
    lastMessage: textIn((input as readonly unknown[] | undefined)?.at(-1)),
    tools: namesOf((tools ?? []) as readonly OfferedTool[]),
  }),
  write: (response, reply, { model }) => {
    const id = `resp_${randomUUID().slice(0, 12)}`
    const output: object[] = []
    if (reply.text !== undefined)
      output.push({
        type: 'message',
        id: `msg_${randomUUID().slice(0, 12)}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: reply.text, annotations: [] }],
      })
    if ('tool' in reply) {
      const [namespace, name] = reply.tool.includes('/') ? reply.tool.split('/') : [undefined, reply.tool]
      output.push({
        type: 'function_call',
        id: `fc_${randomUUID().slice(0, 12)}`,
        call_id: `call_${randomUUID().slice(0, 12)}`,
        name,
        ...(namespace === undefined ? {} : { namespace }),
        arguments: JSON.stringify(reply.input),
        status: 'completed',
      })
    }
    const events: readonly WireEvent[] = [
      [
        'response.created',
        { type: 'response.created', response: { id, object: 'response', model, status: 'in_progress', output: [] } },
      ],
      ...output.map(
        (item, output_index) =>
          ['response.output_item.done', { type: 'response.output_item.done', output_index, item }] as const,
      ),
      [
        'response.completed',
        {
          type: 'response.completed',
          response: { id, object: 'response', model, status: 'completed', output, usage: USAGE },
        },
      ],
    ]
    sendEvents(response, events, { isTorn: 'isTorn' in reply })
  },
  fail: (response, { status, headers, message = 'Rate limit reached' }) =>
    sendJson(
      response,
      status,
      {
        error: {
          message,
          type: status === 429 ? 'rate_limit_exceeded' : 'invalid_request_error',
          code: status === 429 ? 'rate_limit_exceeded' : null,
        },
      },
      headers,
    ),
}
