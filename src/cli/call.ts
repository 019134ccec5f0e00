/** One invocation of a verb: its options, its way to the store, its two forms of output. */
import type { Options } from '../config/load.ts'
import { loadOptions } from '../config/load.ts'
import type { Actor } from '../core/actor.ts'
import { BoardError } from '../core/errors.ts'
import type { CommandContext, LocalContext, QueryContext } from '../operations/operation.ts'
import { describeLocation, parseLocation } from '../storage/location.ts'
import { openStore } from '../storage/open.ts'
import type { Store } from '../storage/store.ts'
import { EXIT } from './exit-codes.ts'
import { jsonPieces } from './json-pieces.ts'
import type { World } from './world.ts'

export interface CommonFlags {
  readonly json?: boolean
  readonly board?: string
}

export class Call {
  readonly world: World
  readonly json: boolean
  readonly options: Options
  exitCode: number = EXIT.done

  private constructor(world: World, json: boolean, options: Options) {
    this.world = world
    this.json = json
    this.options = options
  }

  static async begin(world: World, { json = false, board }: CommonFlags): Promise<Call> {
    const options = await loadOptions(world.env, { board })
    if (options.insideRun !== null) throw insideRun(options.insideRun)
    const call = new Call(world, json, options)
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

  readonly openStore = async (mode: 'create' | 'write' | 'read'): Promise<Store> => {
    const location = parseLocation(this.options.store)
    try {
      return await openStore(location, { mode })
    } catch (error) {
      if (!(error instanceof BoardError && error.code === 'store_missing')) throw error
      throw new BoardError(
        'store_missing',
        `There is no board here yet (nothing at ${describeLocation(location)}): begin with muster create "<title>", or muster init.`,
        { details: error.details, cause: error },
      )
    }
  }

  get local(): LocalContext {
    return { options: this.options, actor: this.actor, openStore: this.openStore, dispatcher: this.world.dispatcher }
  }

  query<T>(ask: (context: QueryContext) => Promise<T>): Promise<T> {
    return this.#with('read', ask)
  }

  command<T>(act: (context: CommandContext) => Promise<T>): Promise<T> {
    return this.#with('write', act)
  }

  async #with<T>(mode: 'read' | 'write', use: (context: CommandContext) => Promise<T>): Promise<T> {
    const store = await this.openStore(mode)
    try {
      return await use({ store, board: this.options.board, actor: this.actor, options: this.options })
    } finally {
      await store.close()
    }
  }
}

/** The board of a run is reached through its supervisor, never by opening the store. */
const insideRun = (run: string): BoardError =>
  new BoardError(
    'run_over',
    `This is inside run ${run}, which has no way to its board: say what you found in your output.`,
    {
      details: { runId: run },
    },
  )
