/** Parses JSON-RPC 2.0 messages that a server receives. */
import { isRecord } from '../util/json-fields.ts'

export type RequestId = string | number

export interface Request {
  readonly id: RequestId
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

export type Message =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Readonly<Record<string, unknown>> }
  /** An answer from the client. Such an answer is ignored, because this server sends no requests. */
  | { readonly kind: 'answer' }
  | { readonly kind: 'fault'; readonly id: RequestId | null; readonly error: RpcError }

export const RPC_CODES = {
  parse: -32_700,
  request: -32_600,
  method: -32_601,
  params: -32_602,
  internal: -32_603,
} as const

export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

/** One message, or a batch of messages. Batches exist in protocol version 2025-03-26. */
export type Incoming = Message | { readonly kind: 'batch'; readonly messages: readonly Message[] }

export function readLine(line: Uint8Array): Incoming {
  const value = parse(line)
  if (value === undefined) return fault(null, RPC_CODES.parse, 'This line is not JSON.')
  if (!Array.isArray(value)) return readMessage(value)
  if (value.length === 0) return fault(null, RPC_CODES.request, 'A batch must not be empty.')
  return { kind: 'batch', messages: value.map(readMessage) }
}

function readMessage(value: unknown): Message {
  if (!isRecord(value)) return fault(null, RPC_CODES.request, 'A message must be an object.')
  const { id, method, params } = value
  const named = typeof id === 'string' || typeof id === 'number' ? id : null
  if (typeof method !== 'string') {
    const answers = 'result' in value || 'error' in value
    return answers ? { kind: 'answer' } : fault(named, RPC_CODES.request, 'A message must name a method.')
  }
  const given = isRecord(params) ? params : {}
  if (id === undefined) return { kind: 'notification', method, params: given }
  if (named === null) return fault(null, RPC_CODES.request, 'An id must be a string or a number.')
  return { kind: 'request', request: { id: named, method, params: given } }
}

export type Response = { readonly jsonrpc: '2.0'; readonly id: RequestId | null } & (
  { readonly result: object } | { readonly error: { readonly code: number; readonly message: string } }
)

export const successOf = (id: RequestId, result: object): Response => ({ jsonrpc: '2.0', id, result })

export const errorOf = (id: RequestId | null, { code, message }: RpcError): Response => ({
  jsonrpc: '2.0',
  id,
  error: { code, message },
})

const fault = (id: RequestId | null, code: number, message: string): Message => ({
  kind: 'fault',
  id,
  error: new RpcError(code, message),
})

/** Parses a message. Invalid UTF-8 is refused; otherwise replacement characters would be stored as text. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
