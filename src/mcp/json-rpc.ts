/** Messages of JSON-RPC 2.0, as far as a server meets them. */
export type RequestId = string | number

export interface Request {
  readonly id: RequestId
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

export type Message =
  | { readonly kind: 'request'; readonly request: Request }
  | { readonly kind: 'notification'; readonly method: string; readonly params: Readonly<Record<string, unknown>> }
  /** An answer to what we never asked. */
  | { readonly kind: 'answer' }
  | { readonly kind: 'fault'; readonly id: RequestId | null; readonly error: RpcError }

export const CODES = { parse: -32_700, request: -32_600, method: -32_601, params: -32_602, internal: -32_603 } as const

export class RpcError extends Error {
  override readonly name = 'RpcError'
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

export function readMessage(line: Uint8Array): Message {
  const value = parse(line)
  if (value === undefined) return fault(null, CODES.parse, 'This line is no JSON.')
  if (!isRecord(value)) return fault(null, CODES.request, 'Send one message per line.')
  const { id, method, params } = value
  const named = typeof id === 'string' || typeof id === 'number' ? id : null
  if (typeof method !== 'string') {
    const answers = 'result' in value || 'error' in value
    return answers ? { kind: 'answer' } : fault(named, CODES.request, 'A message names a method.')
  }
  const given = isRecord(params) ? params : {}
  if (id === undefined) return { kind: 'notification', method, params: given }
  if (named === null) return fault(null, CODES.request, 'An id is a text or a number.')
  return { kind: 'request', request: { id: named, method, params: given } }
}

export const resultLine = (id: RequestId, result: object): string => line({ id, result })

export const errorLine = (id: RequestId | null, { code, message }: RpcError): string =>
  line({ id, error: { code, message } })

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`

const fault = (id: RequestId | null, code: number, message: string): Message => ({
  kind: 'fault',
  id,
  error: new RpcError(code, message),
})

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Broken UTF-8 is no JSON: replaced characters would be stored as if somebody had written them. */
function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    return undefined
  }
}
