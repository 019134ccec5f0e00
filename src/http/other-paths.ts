/** The paths of the OpenAPI document that belong to no operation. */
import { FEED_PARAMETERS } from './feed/feed-query.ts'

type Item = Readonly<Record<string, unknown>>

export const PROBLEM: Item = {
  type: 'object',
  required: ['type', 'title', 'status', 'detail', 'code', 'retryable', 'details'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    code: { type: 'string' },
    retryable: { type: 'boolean' },
    details: { type: 'object' },
  },
}

const problem = { default: { $ref: '#/components/responses/Problem' } }
const text = { type: 'string' }

const inPath = (...names: readonly string[]): readonly Item[] =>
  names.map((name) => ({ name, in: 'path', required: true, schema: text }))

const json = (description: string, schema: Item = { type: 'object' }): Item => ({
  description,
  content: { 'application/json': { schema } },
})

const bytes = { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }

type PathItem = Item & { readonly summary: string; readonly 'x-muster-scope'?: string }

const inQuery = (names: Readonly<Record<string, string>>): readonly Item[] =>
  Object.entries(names).map(([name, description]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: text,
  }))

export const OTHER_PATHS: Record<string, Record<string, PathItem>> = {
  '/api/events': {
    get: {
      operationId: 'follow-events',
      summary: 'Follow the events of all boards as server-sent events.',
      'x-muster-scope': 'read',
      parameters: [
        ...inQuery(FEED_PARAMETERS),
        { name: 'Last-Event-ID', in: 'header', required: false, description: 'Start after this cursor', schema: text },
      ],
      responses: {
        200: { description: 'The events', content: { 'text/event-stream': { schema: text } } },
        ...problem,
      },
    },
  },
  '/api/events/tickets': {
    post: {
      operationId: 'create-event-ticket',
      summary: 'Make a ticket that opens /api/events once, for clients that cannot send headers.',
      'x-muster-scope': 'read',
      responses: { 201: json('The ticket', { type: 'object', properties: { ticket: text } }), ...problem },
    },
  },
  '/api/tasks/{task}/attachments': {
    post: {
      operationId: 'upload-attachment',
      summary: 'Attach the body of the request as a file, at most 25 MiB.',
      'x-muster-scope': 'operate',
      parameters: [...inPath('task'), { name: 'name', in: 'query', required: true, schema: text }],
      requestBody: { required: true, content: bytes },
      responses: { 201: json('The attachment'), ...problem },
    },
  },
  '/api/tasks/{task}/attachments/{file}': {
    get: {
      operationId: 'download-attachment',
      summary: 'Download an attachment, or a range of it.',
      'x-muster-scope': 'read',
      parameters: inPath('task', 'file'),
      responses: { 200: { description: 'The file', content: bytes }, ...problem },
    },
  },
  '/api/tasks/{task}/attachments/{file}/link': {
    post: {
      operationId: 'link-attachment',
      summary: 'Make a URL that downloads an attachment without a token, for a minute.',
      'x-muster-scope': 'read',
      parameters: inPath('task', 'file'),
      responses: {
        200: json('The URL', { type: 'object', properties: { url: text, expiresAt: { type: 'integer' } } }),
        ...problem,
      },
    },
  },
  '/healthz': {
    get: {
      operationId: 'healthz',
      summary: 'Whether the server runs.',
      security: [],
      responses: { 200: json('It runs') },
    },
  },
  '/readyz': {
    get: {
      operationId: 'readyz',
      summary: 'Whether the store answers and cards are started.',
      security: [],
      responses: { 200: json('The server is ready'), 503: json('Cards are not started, or the store does not answer') },
    },
  },
  '/metrics': {
    get: {
      operationId: 'metrics',
      summary: 'Metrics in the text format of Prometheus.',
      'x-muster-scope': 'read',
      responses: { 200: { description: 'The metrics', content: { 'text/plain': { schema: text } } }, ...problem },
    },
  },
}
