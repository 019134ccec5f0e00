/** A board on a server. The commands run the same operations as with a store on this machine, but over the HTTP API. */
import type { ServerChoice } from '../../config/load.ts'
import { createClient, ROUTES } from '../../client/index.ts'
import type { Client, RouteName } from '../../client/index.ts'
import { BoardError } from '../../core/errors.ts'
import type { Published } from '../../operations/shared/operation.ts'
import { readFile } from '../../util/guarded-files.ts'
import type { CommandNeeds } from '../command-needs.ts'
import { currentBoard, followEvents, noticeMissingLog, tailCard } from './follow-remote.ts'
import type { RemoteListeners } from './follow-remote.ts'
import { explainFailure } from './remote-error.ts'
import { isServed, routesOf } from './served.ts'
import { requireServerUrl } from './server-url.ts'

type Input = Readonly<Record<string, unknown>>
type Call = (input: object, options: { readonly board?: string; readonly signal?: AbortSignal }) => unknown

type RemoteOperation = Pick<Published, 'name'> & { readonly scope: string }

/** Operations on the whole store that also accept a board. */
const ON_BOARD: ReadonlySet<string> = new Set(['pause', 'resume', 'tokens create', 'tokens revoke'])

/** Commands that a server can run only with some flags, because their other forms use files of the user's machine. */
const SERVED_FORMS: Readonly<Record<string, string>> = {
  'backup create': '`muster backup create` without --to',
  dispatch: '`muster dispatch --nudge` and `muster dispatch --dry-run`',
  doctor: '`muster doctor` without --fix',
}

interface Asking {
  readonly onPending?: () => void
  readonly signal?: AbortSignal
}

/** A change that takes longer than this is probably waiting for a live run to end. */
const PENDING_MS = 1_000

export class RemoteBoard {
  readonly url: string
  /** A warning about the address, or null. */
  readonly warning: string | null
  readonly #client: Client
  readonly #server: ServerChoice
  readonly #version: string

  private constructor(server: ServerChoice, version: string) {
    const { url, warning } = requireServerUrl(server)
    this.url = url
    this.warning = server.token === null ? null : warning
    this.#server = server
    this.#version = version
    this.#client = createClient({ url, ...(server.token !== null && { token: server.token }) })
  }

  static open(
    server: ServerChoice,
    { version, command }: { readonly version: string; readonly command: CommandNeeds },
  ): RemoteBoard {
    const board = new RemoteBoard(server, version)
    board.requireServed(command)
    return board
  }

  async ask<Output>(operation: RemoteOperation, given: unknown, { onPending, signal }: Asking = {}): Promise<Output> {
    const name = this.#routeFor(operation.name, given as Input)
    const timer = onPending === undefined ? undefined : setTimeout(onPending, PENDING_MS)
    try {
      const route = ROUTES[name]
      const input = await this.#withSlug(name, given as Input)
      const options = { ...this.#boardFor(operation), ...(signal !== undefined && { signal }) }
      if ('page' in route) return (await this.#pages(name, { input, options }, route.page)) as Output
      const call = this.#client[name] as Call
      return (await call(withoutFixed(name, input), options)) as Output
    } catch (error) {
      throw await this.#explain(error)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Reads all pages, or as many as the limit needs. */
  async #pages(
    name: RouteName,
    { input: { limit, ...input }, options }: { readonly input: Input; readonly options: object },
    most: number,
  ): Promise<readonly unknown[]> {
    const wanted = typeof limit === 'number' ? limit : Infinity
    const pages = this.#client.pages as unknown as Readonly<
      Record<string, (input: object, options: object) => AsyncGenerator<readonly unknown[]>>
    >
    const all: unknown[] = []
    for await (const page of pages[name]?.({ ...input, limit: Math.min(wanted, most) }, options) ?? []) {
      all.push(...page)
      if (all.length >= wanted) break
    }
    return all.slice(0, wanted)
  }

  async *follow<Output>(operation: Published, given: unknown, listeners: RemoteListeners): AsyncGenerator<Output> {
    const input = given as Input
    const { signal } = listeners
    const explain = (error: unknown): Promise<unknown> => this.#explain(error)
    const place = { client: this.#client, explain, board: this.#server.board }
    try {
      if (operation.name === 'watch') yield* followEvents(place, input, listeners) as AsyncGenerator<Output>
      else if (operation.name === 'tail') yield* tailCard(place, input, listeners) as AsyncGenerator<Output>
      else {
        const call = this.#client[this.#routeFor(operation.name, input)] as Call
        const values = call(input, { signal }) as AsyncGenerator<Output>
        yield* input['follow'] === true
          ? noticeMissingLog(place, { input: { ...input, task: String(input['task']) }, values }, listeners)
          : values
      }
    } catch (error) {
      if (!signal.aborted) throw await this.#explain(error)
    }
  }

  /** Returns the board that the user named, if the operation works on a board. */
  #boardFor({ name, scope }: RemoteOperation): { readonly board?: string } {
    const { board } = this.#server
    return board !== null && (scope === 'board' || ON_BOARD.has(name)) ? { board } : {}
  }

  /** The path of a board's route must contain a board. If the user named none, adds the current board. */
  async #withSlug(name: RouteName, input: Input): Promise<Input> {
    if (!ROUTES[name].path.includes('/:slug') || input['slug'] != null) return input
    return { ...input, slug: this.#server.board ?? (await currentBoard(this.#client)) }
  }

  /** Sends the content of a file. `size` is checked first, so that a huge file is not read into memory. */
  async send<Output>(
    operation: Published,
    given: unknown,
    { path, size }: { readonly path: string; readonly size: number },
  ): Promise<Output> {
    if (operation.name !== 'attach') throw this.#notServed(operation.name)
    const { task, name, contentType } = given as { task: string; name: string; contentType: string | null }
    const [{ ATTACHMENT_BYTES, tooLarge }, { safeName }] = await Promise.all([
      import('../../workspaces/files/attachment-files.ts'),
      import('../../workspaces/files/safe-name.ts'),
    ])
    if (size > ATTACHMENT_BYTES) throw tooLarge(safeName(name))
    const content = new Uint8Array(await readFile(path))
    try {
      return (await this.#client.attach({
        task,
        name,
        content,
        ...(contentType !== null && { contentType }),
      })) as Output
    } catch (error) {
      throw await this.#explain(error)
    }
  }

  async *download(task: string, file: string): AsyncGenerator<Uint8Array, void> {
    try {
      const { body } = await this.#client.download({ task, file })
      yield* (body ?? []) as AsyncIterable<Uint8Array>
    } catch (error) {
      throw await this.#explain(error)
    }
  }

  /**
   * Throws an error, because only the server can open the store. A command that calls this method cannot work with a
   * server.
   */
  refuseStore(): void {
    throw this.#notServed('This command')
  }

  /** Throws an error if the server cannot run the command. */
  requireServed({ name = '', operation }: CommandNeeds): void {
    if (operation === undefined || isServed(operation)) return
    throw this.#notServed(`The command ${name}`)
  }

  /**
   * Finds the route for an operation. The input must contain the fields of the path, and must equal the values that the
   * route sets itself.
   */
  #routeFor(operation: string, input: Input): RouteName {
    const fitting = routesOf(operation).filter((name) => differingField(name, input) === undefined)
    const found = fitting.find((name) => fillsPath(name, input)) ?? fitting[0]
    if (found !== undefined) return found
    const form = SERVED_FORMS[operation]
    throw this.#notServed(`The command ${operation}`, form === undefined ? '' : ` A server runs only ${form}.`)
  }

  #notServed(what: string, more = ''): BoardError {
    const { from } = this.#server
    const remedy = from === '--url' ? 'without --url' : 'without MUSTER_URL'
    return new BoardError(
      'not_supported',
      `${what} works with the files of a machine.${more} Run it on the machine of ${this.url}, ${remedy}.`,
      { details: { url: this.url } },
    )
  }

  #explain(error: unknown): Promise<unknown> {
    return explainFailure(error, { server: this.#server, url: this.url, client: this.#client, version: this.#version })
  }
}

const fixedOf = (name: RouteName): Input => {
  const route = ROUTES[name]
  return 'fixed' in route ? route.fixed : {}
}

const differingField = (name: RouteName, input: Input): string | undefined =>
  Object.entries(fixedOf(name)).find(([field, value]) => input[field] !== undefined && input[field] !== value)?.[0]

const fillsPath = (name: RouteName, input: Input): boolean =>
  [...ROUTES[name].path.matchAll(/:(\w+)/g)].every(([, field = '']) => input[field] != null)

const withoutFixed = (name: RouteName, input: Input): Input => {
  const fixed = fixedOf(name)
  return Object.fromEntries(Object.entries(input).filter(([field]) => !(field in fixed)))
}
