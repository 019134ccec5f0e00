/** The client of the HTTP API, for Node and for browsers. It has one function per route. */
import { ROUTES } from './api.ts'
import type { Inputs, Outputs, TokenView } from './api.ts'
import type { ClientErrorCode } from './client-error.ts'
import { followFeed } from './live-feed.ts'
import type { FeedFilter, FeedMessage, FeedOptions } from './live-feed.ts'
import { requestOf, searchOf } from './route-request.ts'
import { streamValues } from './stream-values.ts'
import { Transport } from './transport.ts'
import type { ClientOptions } from './transport.ts'

type Routes = typeof ROUTES
export type RouteName = keyof Routes
/** The names of the routes that have a property, such as `many`. */
type RoutesWith<Fact> = { [N in RouteName]: Routes[N] extends Fact ? N : never }[RouteName]
type ManyName = RoutesWith<{ readonly many: true }>
type PagedName = RoutesWith<{ readonly page: number }>

export interface CallOptions {
  readonly board?: string
  /** Cancels the request. */
  readonly signal?: AbortSignal
}

/** The arguments of a call. The input is optional if all its fields are optional. */
type Call<Input> =
  Record<never, never> extends Input ? [input?: Input, options?: CallOptions] : [input: Input, options?: CallOptions]

type RouteFunctions = {
  readonly [N in RouteName]: (
    ...call: Call<Inputs[N]>
  ) => Routes[N] extends { readonly streams: true } ? AsyncGenerator<Outputs[N]> : Promise<Outputs[N]>
}

/** The result for one card of a call that changes several cards. */
export type ManyResult<Task> =
  | { readonly id: string; readonly ok: true; readonly task: Task }
  | {
      readonly id: string
      readonly ok: false
      readonly error: {
        readonly code: ClientErrorCode
        readonly detail: string
        readonly details: Readonly<Record<string, unknown>>
      }
    }

type ManyFunctions = {
  readonly [N in ManyName]: (
    input: Omit<Inputs[N], 'task'> & { readonly tasks: readonly string[] },
    options?: CallOptions,
  ) => Promise<readonly ManyResult<Outputs[N]>[]>
}

type PageFunctions = { readonly [N in PagedName]: (...call: Call<Inputs[N]>) => AsyncGenerator<Outputs[N]> }

export interface FileInput {
  readonly task: string
  readonly name: string
  readonly content: Blob | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  readonly contentType?: string
}

interface FileAddress {
  readonly task: string
  /** The id of the attachment, or its name. */
  readonly file: string
}

/** A URL that downloads a file for a minute, without a token. */
export interface DownloadLink {
  /** The URL, relative to the server. */
  readonly url: string
  readonly expiresAt: number
}

interface OtherFunctions {
  /** The functions that change several cards, one after the other. The result has an entry for each card. */
  readonly many: ManyFunctions
  /** The functions that read a list page by page, until the caller stops. */
  readonly pages: PageFunctions
  /** Follows the events of all boards. The client reconnects until the signal aborts. */
  events(filter?: FeedFilter, options?: FeedOptions): AsyncGenerator<FeedMessage>
  /** Attaches a file to a card. */
  attach(file: FileInput, options?: Pick<CallOptions, 'signal'>): Promise<Outputs['attach']>
  /** Downloads an attachment. `range` has the positions of the first byte and after the last byte. */
  download(
    address: FileAddress & { readonly range?: readonly [from: number, to: number] },
    options?: Pick<CallOptions, 'signal'>,
  ): Promise<Response>
  downloadLink(address: FileAddress): Promise<DownloadLink>
  /** Downloads the output of a run unchanged. `last` limits it to this number of bytes at the end. */
  downloadLog(
    address: { readonly task: string; readonly run?: string; readonly last?: number },
    options?: Pick<CallOptions, 'signal'>,
  ): Promise<Response>
  /** Returns a one-use ticket with which `EventSource` opens the live feed. */
  eventTicket(): Promise<string>
  /** Exchanges the code of a one-time link for a session: a cookie, and the secret that the page keeps. */
  signIn(code: string): Promise<TokenView & { readonly secret: string }>
  /** The session or token of this client. */
  session(): Promise<TokenView>
  signOut(): Promise<void>
  /** The program and version of the server. This call needs no token. */
  ping(): Promise<Ping>
}

export interface Ping {
  readonly program: string
  readonly version: string
}

export type Client = RouteFunctions & OtherFunctions

export function createClient(options: ClientOptions = {}): Client {
  const transport = new Transport(options)
  const names = Object.keys(ROUTES) as RouteName[]
  const functionsOf = (make: (name: RouteName) => unknown, has: (name: RouteName) => boolean = () => true): object =>
    Object.fromEntries(names.filter(has).map((name) => [name, make(name)]))
  // The casts are safe, because the table and its types are generated together.
  return {
    ...(functionsOf((name) => routeFunction(transport, name)) as RouteFunctions),
    many: functionsOf(
      (name) => manyFunction(transport, name),
      (name) => 'many' in ROUTES[name],
    ) as ManyFunctions,
    pages: functionsOf(
      (name) => pageFunction(transport, name),
      (name) => 'page' in ROUTES[name],
    ) as PageFunctions,
    events: (filter = {}, feed = {}) => followFeed(transport, filter, feed),
    ...fileFunctions(transport),
    ...sessionFunctions(transport),
  }
}

type Input = Readonly<Record<string, unknown>>

function routeFunction(transport: Transport, name: RouteName) {
  const route = ROUTES[name]
  return (input: Input = {}, { board = defaultBoard(transport, route), signal }: CallOptions = {}) => {
    if ('streams' in route) return streamValues(transport, () => ({ ...requestOf(route, input, board), signal }))
    return answerOf(transport, () => ({ ...requestOf(route, input, board), signal }))
  }
}

/**
 * Returns the board for a route that can serve all boards. Such a route serves one board only if the call names that
 * board.
 */
const defaultBoard = (transport: Transport, route: object): string | undefined =>
  'filtersBoard' in route ? undefined : transport.board

const answerOf = async (transport: Transport, request: () => Parameters<Transport['json']>[0]): Promise<unknown> =>
  (await transport.json(request())).value

function manyFunction(transport: Transport, name: RouteName) {
  const path = `/api/tasks/${ROUTES[name].operation}`
  return (input: Input, { board = transport.board, signal }: CallOptions = {}) =>
    answerOf(transport, () => ({ ...requestOf({ method: 'post', path }, input, board), signal }))
}

function pageFunction(transport: Transport, name: RouteName) {
  const route = ROUTES[name]
  return async function* (input: Input = {}, { board = defaultBoard(transport, route), signal }: CallOptions = {}) {
    let request = requestOf(route, input, board)
    for (;;) {
      const { value, headers } = await transport.json({ ...request, signal })
      yield value
      const next = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
      if (next === undefined) return
      request = { method: 'GET', path: next }
    }
  }
}

const filePath = ({ task, file }: FileAddress): string =>
  requestOf({ method: 'get', path: '/api/tasks/:task/attachments/:file' }, { task, file }, undefined).path

const fileFunctions = (transport: Transport): Pick<Client, 'attach' | 'download' | 'downloadLink' | 'downloadLog'> => ({
  async attach({ task, name, content, contentType }, { signal } = {}) {
    const { path } = requestOf({ method: 'get', path: '/api/tasks/:task/attachments' }, { task }, undefined)
    const init = content instanceof ReadableStream ? { body: content, duplex: 'half' } : { body: content }
    const { value } = await transport.json({
      method: 'POST',
      path: `${path}${searchOf({ name })}`,
      ...(contentType !== undefined && { headers: { 'content-type': contentType } }),
      ...init,
      signal,
    })
    return value as Outputs['attach']
  },
  download({ range, ...address }, { signal } = {}) {
    const headers = range === undefined ? {} : { range: `bytes=${range[0]}-${range[1] - 1}` }
    return transport.send({ method: 'GET', path: filePath(address), headers, signal })
  },
  async downloadLink(address) {
    const { value } = await transport.json({ method: 'POST', path: `${filePath(address)}/link` })
    return value as DownloadLink
  },
  downloadLog({ last, ...address }, { signal } = {}) {
    const { path } = requestOf({ method: 'get', path: '/api/tasks/:task/log' }, address, undefined)
    const headers = { accept: 'text/plain', ...(last !== undefined && { range: `bytes=-${last}` }) }
    return transport.send({ method: 'GET', path, headers, signal })
  },
})

const sessionFunctions = (
  transport: Transport,
): Pick<Client, 'eventTicket' | 'signIn' | 'session' | 'signOut' | 'ping'> => ({
  async eventTicket() {
    const { value } = await transport.json({ method: 'POST', path: '/api/events/tickets' })
    return (value as { readonly ticket: string }).ticket
  },
  async signIn(code) {
    const { value } = await transport.json(requestOf({ method: 'post', path: '/api/sign-in' }, { code }, undefined))
    return value as TokenView & { readonly secret: string }
  },
  async session() {
    return (await transport.json({ method: 'GET', path: '/api/session' })).value as TokenView
  },
  async signOut() {
    await transport.send({ method: 'DELETE', path: '/api/session' })
  },
  async ping() {
    return (await transport.json({ method: 'GET', path: '/healthz' })).value as Ping
  },
})
