/** One invocation of a verb: its options, its way to the board, its two forms of output. */
import type { Options } from '../config/load.ts'
import { DEFAULT_BOARD, loadOptions } from '../config/load.ts'
import type { Actor } from '../core/actor.ts'
import { BoardError } from '../core/errors.ts'
import type { BoardContext, LocalContext, Operation } from '../operations/operation.ts'
import { describeLocation, parseLocation } from '../storage/location.ts'
import { openStore } from '../storage/open.ts'
import type { Store } from '../storage/store.ts'
import { EXIT } from './exit-codes.ts'
import { jsonPieces } from './json-pieces.ts'
import type { CommonFlags } from './parse.ts'
import type { World } from './world.ts'

type Mode = 'read' | 'write'

export class Call {
  readonly world: World
  readonly json: boolean
  readonly options: Options
  exitCode: number = EXIT.done
  /** The board that was typed, for verbs that serve every board unless told otherwise. */
  readonly typedBoard: string | null
  readonly #makesHome: boolean
  #opened: { readonly mode: Mode; readonly store: Promise<Store> } | null = null

  private constructor(world: World, flags: CommonFlags, options: Options, makesHome: boolean) {
    this.world = world
    this.json = flags.json
    this.options = options
    this.typedBoard = flags.board === undefined ? null : options.board
    this.#makesHome = makesHome
  }

  static async begin(world: World, flags: CommonFlags, { makesHome }: { makesHome: boolean }): Promise<Call> {
    const options = await loadOptions(world.env, { board: flags.board })
    if (options.insideRun !== null) throw insideRun(options.insideRun)
    const call = new Call(world, flags, options, makesHome)
    for (const warning of options.warnings) call.notice(warning)
    return call
  }

  get actor(): Actor {
    return { kind: 'person', name: this.options.user }
  }

  /** The result, as exactly one JSON value or as text. */
  answer(value: unknown, text: string): void {
    if (!this.json) this.world.stdout.write(`${text}\n`)
    else for (const piece of jsonPieces(value)) this.world.stdout.write(piece)
  }

  /** For people only: whoever reads JSON reads nothing else. */
  notice(text: string): void {
    if (!this.json) this.world.stderr.write(`${text}\n`)
  }

  /** Asks for one operation on the board. The store is opened at the first, and serves all that follow. */
  async ask<Input, Output>(operation: Operation<'query' | 'command', Input, Output>, input: Input): Promise<Output> {
    const mode = operation.kind === 'query' ? 'read' : 'write'
    try {
      return await operation.run(this.#context(await this.#store(mode)), input)
    } catch (error) {
      if (!this.#makesHome || !isFirstBoardMissing(error)) throw error
      // The store was cut off while it was made.
      await this.#makeHome()
      return operation.run(this.#context(await this.#store(mode)), input)
    }
  }

  /** For what is no operation: a verb that looks at the store itself. */
  async board(mode: Mode): Promise<BoardContext> {
    return this.#context(await this.#store(mode))
  }

  get local(): LocalContext {
    return { options: this.options, actor: this.actor, openStore: this.openStore, dispatcher: this.world.dispatcher }
  }

  readonly openStore = async (mode: Mode | 'create'): Promise<Store> => {
    const location = parseLocation(this.options.store)
    try {
      return await openStore(location, { mode })
    } catch (error) {
      if (!isMissing(error)) throw error
      throw new BoardError(
        'store_missing',
        `There is no board here yet (nothing at ${describeLocation(location)}): begin with muster create "<title>", or muster init.`,
        { details: error.details, cause: error },
      )
    }
  }

  async close(): Promise<void> {
    const opened = this.#opened
    this.#opened = null
    // One that could not be opened has been reported by whoever asked for it.
    const store = await opened?.store.catch(() => null)
    await store?.close()
  }

  #context(store: Store): BoardContext {
    return { store, board: this.options.board, actor: this.actor, options: this.options }
  }

  async #store(mode: Mode): Promise<Store> {
    if (this.#opened !== null && (mode === 'read' || this.#opened.mode === 'write')) return this.#opened.store
    await this.close()
    const store = this.#openOrMake(mode)
    this.#opened = { mode, store }
    return store
  }

  async #openOrMake(mode: Mode): Promise<Store> {
    try {
      return await this.openStore(mode)
    } catch (error) {
      if (!this.#makesHome || !isMissing(error)) throw error
      await this.#makeHome()
      return this.openStore(mode)
    }
  }

  async #makeHome(): Promise<void> {
    const { makeHome } = await import('./first-use.ts')
    await makeHome(this)
  }
}

const isMissing = (error: unknown): error is BoardError => error instanceof BoardError && error.code === 'store_missing'

const isFirstBoardMissing = (error: unknown): boolean =>
  error instanceof BoardError && error.code === 'board_not_found' && error.details['board'] === DEFAULT_BOARD

/** The board of a run is reached through its supervisor, never by opening the store. */
const insideRun = (run: string): BoardError =>
  new BoardError(
    'run_over',
    `This is inside run ${run}, which has no way to its board: say what you found in your output.`,
    { details: { runId: run } },
  )
