/** One invocation of a command: its options, its access to the board and its output. */
import type { Options } from '../config/load.ts'
import { DEFAULT_BOARD, loadOptions } from '../config/load.ts'
import type { Actor } from '../core/actor.ts'
import { BoardError } from '../core/errors.ts'
import type { BoardContext, LocalContext, Operation, Published } from '../operations/shared/operation.ts'
import { runOver } from '../runs/socket/protocol.ts'
import type { Store } from '../storage/store.ts'
import { endOnAbort } from './end-on-abort.ts'
import type { CommonValues } from './common-flags.ts'
import { oneLine } from './output/escape.ts'
import { EXIT, Printer } from './output/printer.ts'
import { StoreAccess } from './store-access.ts'
import type { Mode, StoreNeeds } from './store-access.ts'
import { SupervisorClient, refuseInsideRun } from './supervisor-client.ts'
import type { World } from './world.ts'

export class Invocation extends Printer {
  readonly world: World
  readonly options: Options
  exitCode: number = EXIT.done
  /** Whether this invocation has changed the store. Repeating it would then make the change twice. */
  hasChanged = false
  /** Whether Ctrl-C or a closed output has ended the stream. */
  stopped = false
  /** The board given with --board, for commands that serve every board by default. */
  readonly typedBoard: string | null
  readonly #makesHome: boolean
  readonly #store: StoreAccess
  readonly #supervisor: SupervisorClient | null

  private constructor(world: World, flags: CommonValues, options: Options, needs: StoreNeeds) {
    super(world, flags)
    this.world = world
    this.options = options
    this.typedBoard = flags.board === undefined ? null : options.board
    this.#makesHome = needs.makesHome ?? false
    const makeHome = (): Promise<void> => this.#makeHome()
    const notice = (text: string): void => this.notice(text)
    this.#store = new StoreAccess({ options, thread: world.storeThread, makeHome, notice }, needs)
    this.#supervisor = options.insideRun === null ? null : new SupervisorClient(options.insideRun)
  }

  static async begin(world: World, flags: CommonValues, needs: StoreNeeds): Promise<Invocation> {
    const options = await loadOptions(world.env, { board: flags.board })
    const { insideRun } = options
    if (insideRun !== null && (insideRun.nonce === null || insideRun.socket === null)) throw runOver(insideRun.run)
    if (insideRun !== null && flags.board !== undefined && flags.board !== options.board)
      throw new BoardError(
        'not_allowed',
        `Inside a run, commands use the board of the run (${options.board}): leave out --board ${flags.board}.`,
      )
    const invocation = new Invocation(world, flags, options, needs)
    for (const warning of options.warnings) invocation.notice(warning)
    return invocation
  }

  get actor(): Actor {
    return { kind: 'person', name: this.options.user }
  }

  get insideRun(): boolean {
    return this.options.insideRun !== null
  }

  /**
   * Runs one operation on the board. Calls `onPending` if the change is stored but the operation still waits for a live
   * run to end.
   */
  async ask<Input, Output>(
    operation: Operation<'query' | 'command', Input, Output>,
    input: Input,
    onPending: () => void = () => {},
  ): Promise<Output> {
    const output = await (this.#supervisor?.ask<Output>(operation, input) ?? this.#ask(operation, input, onPending))
    this.hasChanged ||= operation.kind === 'command'
    return output
  }

  async #ask<Input, Output>(
    operation: Operation<'query' | 'command', Input, Output>,
    input: Input,
    onPending: () => void,
  ): Promise<Output> {
    const mode = operation.kind === 'query' ? 'read' : 'write'
    try {
      const store = await this.#store.shared(mode, () => checkFirst(operation, input))
      return await operation.run({ ...this.#context(store), onPending }, input)
    } catch (error) {
      if (!this.#makesHome || !isFirstBoardMissing(error)) throw error
      // An earlier first use crashed and left a store without its board, so the board is created now.
      await this.#makeHome()
      return operation.run(await this.board(mode), input)
    }
  }

  /** Runs a stream. Ctrl-C or a closed output ends it without an error. The stream itself retries a busy store. */
  async *follow<Input, Output>(operation: Operation<'stream', Input, Output>, input: Input): AsyncGenerator<Output> {
    // Ctrl-C is handled only after the store is open. Until then it ends the process at once, even if a server does not
    // answer.
    const board = await this.board('read')
    const stop = new AbortController()
    const end = (): void => {
      this.stopped = true
      stop.abort()
    }
    const forgetInterrupt = this.world.onInterrupt(end)
    const forgetOutput = this.world.onOutputClosed?.(end)
    try {
      const onWait = (what: string): void => this.notice(oneLine(what))
      const report = this.storeTrouble()
      const onTrouble = (error: BoardError | null): void => {
        // Stopping the stream also makes its pending query fail. That error is not reported.
        if (!this.stopped) report(error)
      }
      const listeners = { signal: stop.signal, onTrouble, onWait }
      yield* endOnAbort(operation.run({ ...board, ...listeners }, input), stop.signal)
    } finally {
      forgetInterrupt()
      forgetOutput?.()
    }
  }

  /** Runs an operation that takes a file. Inside a run the supervisor reads the file, so only its path is sent. */
  async send<Input, Output>(
    operation: Operation<'transfer', Input, Output>,
    input: Input,
    path: string,
  ): Promise<Output> {
    const sent = this.#supervisor?.ask<Output>(operation, { ...input, path })
    const output = await (sent ?? this.#send(operation, input, path))
    this.hasChanged = true
    return output
  }

  async #send<Input, Output>(
    operation: Operation<'transfer', Input, Output>,
    input: Input,
    path: string,
  ): Promise<Output> {
    // Checked before the store is opened, so that a missing file does not create a data folder.
    const { examineFile } = await import('../workspaces/files/readable-file.ts')
    await examineFile(path, this.options.store)
    return operation.run(await this.board('write'), input, path)
  }

  /** For a command that reads the store itself, without an operation. */
  async board(mode: Mode): Promise<BoardContext> {
    return this.#context(await this.#store.shared(mode))
  }

  /** The board for a long-running command. `makesHome`: create the data folder if it does not exist. */
  async lastingBoard(how: { makesHome: boolean }): Promise<BoardContext> {
    return this.#context(await this.#store.lasting(how))
  }

  get local(): LocalContext {
    refuseInsideRun(this.options)
    const { dispatcher, env, commandLine } = this.world
    return {
      options: this.options,
      actor: this.actor,
      openStore: this.#store.open,
      dispatcher,
      env,
      ...(commandLine === undefined ? {} : { commandLine }),
    }
  }

  async close({ exiting = false } = {}): Promise<void> {
    await this.#store.close({ exiting })
    await this.#supervisor?.close()
  }

  #context(store: Store): BoardContext {
    const { options, actor, world } = this
    const { checker } = world
    return { store, board: options.board, actor, options, ...(checker === undefined ? {} : { checker }) }
  }

  async #makeHome(): Promise<void> {
    const { makeHome } = await import('./first-use.ts')
    await makeHome(this)
  }
}

async function checkFirst(operation: Published, input: unknown): Promise<void> {
  const { checkInput } = await import('../operations/shared/check-input.ts')
  await checkInput(operation, input)
}

const isFirstBoardMissing = (error: unknown): boolean =>
  error instanceof BoardError && error.code === 'board_not_found' && error.details['board'] === DEFAULT_BOARD
