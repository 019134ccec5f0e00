/** Sends requests to a server and turns every failure into a `ClientError`. */
import { ClientError, errorOfProblem } from './client-error.ts'

export interface ClientOptions {
  /** The address of the server, such as `http://127.0.0.1:6878`. The default is the server of the page. */
  readonly url?: string
  /** The token of a program. */
  readonly token?: string
  /** Returns the second secret of a browser's session, which is not in the cookie. Returns null before the sign-in. */
  readonly secret?: () => string | null
  /** The board for calls that name no other board. The default is the current board of the server. */
  readonly board?: string
  /** Replaces the `fetch` of the platform. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
}

export interface ClientRequest {
  readonly method: string
  /** The path and query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: NonNullable<RequestInit['body']>
  readonly signal?: AbortSignal | undefined
}

const SECRET_HEADER = 'x-muster-secret'
const PROBLEM = 'application/problem+json'

export class Transport {
  readonly #options: ClientOptions
  readonly #base: string

  constructor(options: ClientOptions) {
    this.#options = options
    this.#base = (options.url ?? '').replace(/\/+$/, '')
  }

  get board(): string | undefined {
    return this.#options.board
  }

  /**
   * Returns a successful response. Status 202 counts as an error here, because the change is stored but not applied
   * yet.
   */
  async send({ method, path, headers, body, signal }: ClientRequest): Promise<Response> {
    const send = this.#options.fetch ?? ((url: string, init: RequestInit) => fetch(url, init))
    const init = {
      method,
      headers: { ...this.#credentials(), ...headers },
      credentials: 'same-origin',
      redirect: 'error',
      ...(body !== undefined && { body }),
      ...(signal !== undefined && { signal }),
    } as const
    const response = await send(`${this.#base}${path}`, init).catch((cause: unknown) => {
      throw signal?.aborted === true ? cause : unreachable(this.#base, cause)
    })
    const isProblem = response.headers.get('content-type')?.startsWith(PROBLEM) === true
    if (response.ok && !isProblem) return response
    throw await errorOf(response, this.#base)
  }

  async json(request: ClientRequest): Promise<{ readonly value: unknown; readonly headers: Headers }> {
    const response = await this.send(request)
    const { headers, status } = response
    if (status === 204) return { value: undefined, headers }
    const text = await readText(response, this.#base, request.signal)
    if (headers.get('content-type')?.startsWith('application/json') !== true) throw notMuster(this.#base, status)
    return { value: this.parse(text, status), headers }
  }

  parse(text: string, status: number): unknown {
    try {
      return JSON.parse(text)
    } catch {
      throw notMuster(this.#base, status)
    }
  }

  /** Returns the error for a connection that breaks while a body is read. */
  brokenOff(cause: unknown): ClientError {
    return unreachable(this.#base, cause)
  }

  #credentials(): Record<string, string> {
    const { token, secret } = this.#options
    const known = secret?.() ?? null
    return {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(known !== null && { [SECRET_HEADER]: known }),
    }
  }
}

async function readText(response: Response, base: string, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await response.text()
  } catch (cause) {
    throw signal?.aborted === true ? cause : unreachable(base, cause)
  }
}

async function errorOf(response: Response, base: string): Promise<ClientError> {
  const { status } = response
  const text = await response.text().catch(() => '')
  try {
    const problem = errorOfProblem(JSON.parse(text))
    if (problem !== null) return problem
  } catch {
    // The body is not JSON, so the server is not Muster, or a proxy has answered.
  }
  return notMuster(base, status)
}

const notMuster = (base: string, status: number): ClientError =>
  new ClientError('server_unsuitable', `The server at ${base} does not answer as a Muster server (status ${status}).`, {
    status,
    retryable: status >= 500,
  })

/**
 * Returns the error for a server that cannot be reached. The platform hides the reason, such as `ECONNREFUSED`, in the
 * cause.
 */
function unreachable(base: string, cause: unknown): ClientError {
  const reason = reasonOf(cause)
  return new ClientError('server_unreachable', `The server at ${base} cannot be reached: ${reason.text}.`, {
    status: null,
    details: { reason: reason.code },
    retryable: true,
    cause,
  })
}

function reasonOf(thrown: unknown): { readonly code: string | null; readonly text: string } {
  const { cause, code, message } = (thrown ?? {}) as Readonly<Record<string, unknown>>
  if (typeof cause === 'object' && cause !== null) return reasonOf(cause)
  const text = typeof message === 'string' && message !== '' ? message : 'unknown reason'
  return { code: typeof code === 'string' ? code : null, text: typeof code === 'string' && text === '' ? code : text }
}
