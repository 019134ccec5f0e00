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

interface Offered {
  readonly type?: string
  readonly name?: string
  readonly tools?: readonly Offered[]
}

/** Tools may stand in a namespace; the model then calls them by their name in it. */
const namesOf = (tools: readonly Offered[], within = ''): readonly string[] =>
  tools.flatMap(({ name = '', type = '', tools: inner }) =>
    inner === undefined ? [`${within}${name === '' ? type : name}`] : namesOf(inner, `${name}/`),
  )

export const responses: Dialect = {
  name: 'responses',
  matches: (path) => path.startsWith('/v1/responses'),
  read: ({ model, instructions, input, tools }) => ({
    model: String(model),
    said: textIn([instructions, input]),
    last: textIn((input as readonly unknown[] | undefined)?.at(-1)),
    tools: namesOf((tools ?? []) as readonly Offered[]),
  }),
  write: (response, said, { model }) => {
    const id = `resp_${randomUUID().slice(0, 12)}`
    const output: object[] = []
    if (said.text !== undefined)
      output.push({
        type: 'message',
        id: `msg_${randomUUID().slice(0, 12)}`,
        role: 'assistant',
        status: 'completed',
        content: [{ type: 'output_text', text: said.text, annotations: [] }],
      })
    if ('tool' in said) {
      const [namespace, name] = said.tool.includes('/') ? said.tool.split('/') : [undefined, said.tool]
      output.push({
        type: 'function_call',
        id: `fc_${randomUUID().slice(0, 12)}`,
        call_id: `call_${randomUUID().slice(0, 12)}`,
        name,
        ...(namespace === undefined ? {} : { namespace }),
        arguments: JSON.stringify(said.input),
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
    sendEvents(response, events, { isTorn: 'isTorn' in said })
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
