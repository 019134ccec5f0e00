/** A client that knows only the OpenAPI document. */
import { expect } from 'vitest'
import type { HttpTest } from '../helpers/http.ts'
import { readFeed } from '../helpers/feed-reader.ts'
import type { FeedReader } from '../helpers/feed-reader.ts'

type Content = Readonly<Record<string, { readonly schema: object }>>

export interface Described {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly required?: boolean }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
  readonly 'x-muster-operation'?: string
}

export interface Document {
  readonly openapi: string
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

export const readDocument = async ({ ask }: Pick<HttpTest, 'ask'>): Promise<Document> =>
  (await ask('GET /api/openapi.json')).json<Document>()

interface Given {
  /** The values of parameters, by name. */
  readonly values?: Readonly<Record<string, string>>
  readonly body?: object
}

export class DocumentClient {
  readonly #document: Document
  readonly #send: (path: string, init: RequestInit) => Promise<Response>

  private constructor(document: Document, send: (path: string, init: RequestInit) => Promise<Response>) {
    this.#document = document
    this.#send = send
  }

  static async open(http: HttpTest): Promise<DocumentClient> {
    const token = await http.tokenFor('operate')
    return new DocumentClient(await readDocument(http), (path, init) =>
      http.fetch(new URL(path, http.parts.place.url), {
        ...init,
        headers: { ...Object.fromEntries(new Headers(init.headers)), authorization: `Bearer ${token}` },
      }),
    )
  }

  async call<T>(summary: RegExp, given: Given = {}): Promise<T> {
    return (await (await this.#request(summary, given)).json()) as T
  }

  async follow(summary: RegExp, given: Given = {}): Promise<FeedReader> {
    return readFeed(await this.#request(summary, given))
  }

  async #request(summary: RegExp, { values = {}, body }: Given): Promise<Response> {
    const { method, path, item } = this.#find(summary)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
    const query = new URLSearchParams()
    for (const { name, in: place } of item.parameters ?? [])
      if (place === 'query' && values[name] !== undefined) query.set(name, values[name])
    const [type = ''] = Object.keys(item.requestBody?.content ?? {})
    const response = await this.#send(`${filled}?${query.toString()}`, {
      method: method.toUpperCase(),
      ...(body === undefined ? {} : { headers: { 'content-type': type }, body: JSON.stringify(body) }),
    })
    const described = item.responses[String(response.status)]
    expect(Object.keys(described?.content ?? {})).toEqual([response.headers.get('content-type')?.split(';')[0]])
    return response
  }

  /** Finds an operation by its summary, as a reader of the document does. */
  #find(summary: RegExp): { readonly method: string; readonly path: string; readonly item: Described } {
    const found = Object.entries(this.#document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, item]) =>
        summary.test((item as { summary?: string }).summary ?? '') ? [{ method, path, item }] : [],
      ),
    )
    const [only] = found
    if (only === undefined || found.length > 1)
      throw new Error(`${found.length} operations match ${summary}: ${found.map(({ path }) => path).join(', ')}`)
    return only
  }
}
