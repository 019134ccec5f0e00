/** One invocation of a command: its options, its access to the board and its output. */
import type { Options, ServerChoice } from '../config/load.ts'
import { DEFAULT_BOARD, loadOptions } from '../config/load.ts'
import type { Actor } from '../core/actor.ts'
import type { Attachment } from '../core/attachment.ts'
import { BoardError } from '../core/errors.ts'
import type { BoardContext, LocalContext, Operation, Published, StreamContext } from '../operations/shared/operation.ts'
import { runOver } from '../runs/socket/protocol.ts'
import type { Store } from '../storage/store.ts'
import { endOnAbort } from './end-on-abort.ts'
import type { CommonValues } from './common-flags.ts'
import { oneLine } from './output/escape.ts'
import { EXIT, Printer } from './output/printer.ts'
import { StoreAccess } from './store-access.ts'
import type { CommandNeeds } from './command-needs.ts'
import type { Mode, StoreNeeds } from './store-access.ts'
import type { RemoteBoard } from './remote/remote-board.ts'
import { SupervisorClient, refuseInsideRun } from './supervisor-client.ts'
import type { World } from './world.ts'

type Listeners = Pick<StreamContext, 'signal' | 'onTrouble' | 'onWait'>

/** The parts of a stream that a screen handles itself: it ends the stream, and shows its errors. */
interface FollowChoices extends Partial<Pick<Listeners, 'onTrouble' | 'onWait'>> {
  readonly until?: AbortSignal
}

export class Invocation extends Printer {
  readonly world: World
  readonly options: Options
  exitCode: number = EXIT.done
  /**
   * Whether this invocation has already changed the store. If so, running the command again would repeat the change.
   */
  hasChanged = false
  /** Whether the stream has ended because of Ctrl-C or a closed output. */
  stopped = false
  /** The board given with --board. Commands that work on every board by default use this value. */
  readonly typedBoard: string | null
  readonly #makesHome: boolean
  readonly #store: StoreAccess
  readonly #supervisor: SupervisorClient | null
  /** The board of a server. Null means that commands use a store of this machine. */
  readonly remote: RemoteBoard | null

  private constructor(
    world: World,
    flags: CommonValues,
    { options, needs, remote }: { options: Options; needs: StoreNeeds; remote: RemoteBoard | null },
  ) {
    super(world, flags)
    this.world = world
    this.options = options
    this.typedBoard = flags.board === undefined ? null : options.board
    this.#makesHome = needs.makesHome ?? false
    const makeHome = (): Promise<void> => this.#makeHome()
    const notice = (text: string): void => this.notice(text)
    this.#store = new StoreAccess({ options, thread: world.storeThread, makeHome, notice }, needs)
    this.#supervisor = options.insideRun === null ? null : new SupervisorClient(options.insideRun)
    this.remote = remote
  }

  static async begin(world: World, flags: CommonValues, needs: CommandNeeds): Promise<Invocation> {
    const options = await loadOptions(world.env, { board: flags.board, url: flags.url })
    const { insideRun } = options
    if (insideRun !== null && (insideRun.nonce === null || insideRun.socket === null)) throw runOver(insideRun.run)
    if (insideRun !== null && flags.board !== undefined && flags.board !== options.board)
      throw new BoardError(
        'not_allowed',
        `Inside a run, commands use the board of the run (${options.board}): leave out --board ${flags.board}.`,
      )
    if (insideRun !== null && flags.url !== undefined)
      throw new BoardError('not_allowed', 'Inside a run, commands use the board of the run: leave out --url.')
    const remote = options.server === null ? null : await openRemote(options.server, world.version, needs)
    const invocation = new Invocation(world, flags, { options, needs, remote })
    if (remote?.warning != null) invocation.notice(remote.warning)
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
   * Runs one operation on the board. Calls `onPending` when the change is stored but the operation still waits for the
   * end of a run.
   */
  async ask<Input, Output>(
    operation: Operation<'query' | 'command', Input, Output>,
    input: Input,
    onPending: () => void = () => {},
  ): Promise<Output> {
    const output = await (this.#supervisor?.ask<Output>(operation, input) ??
      this.remote?.ask<Output>(operation, input, { onPending }) ??
      this.#ask(operation, input, onPending))
    this.hasChanged ||= operation.kind === 'command'
    return output
  }

  /**
   * Runs an operation that works on a machine. If the board is on a server, the operation works on the machine of the
   * server.
   */
  async perform<Input, Output>(
    operation: Operation<'local', Input, Output>,
    input: Input,
    more: Pick<LocalContext, 'onProgress' | 'passListener' | 'signal'> = {},
  ): Promise<Output> {
    if (this.remote !== null) return this.remote.ask<Output>(operation, input, more)
    return operation.run({ ...this.local, ...more }, input)
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

  /**
   * Runs a stream. Ctrl-C, a closed output or `until` ends the stream without an error. The stream itself retries if the
   * store is busy.
   */
  async *follow<Input, Output>(
    operation: Operation<'stream', Input, Output>,
    input: Input,
    { until, onTrouble: hear, onWait: hearWait }: FollowChoices = {},
  ): AsyncGenerator<Output> {
    // Ctrl-C is handled only after the store is open. Before that moment, Ctrl-C ends the process at once, even if a
    // server does not answer.
    const begin = await this.#stream(operation, input)
    const stop = new AbortController()
    const end = (): void => {
      this.stopped = true
      stop.abort()
    }
    if (until?.aborted === true) return
    until?.addEventListener('abort', end)
    const forgetInterrupt = this.world.onInterrupt(end)
    const forgetOutput = this.world.onOutputClosed?.(end)
    try {
      const onWait = hearWait ?? ((what: string): void => this.notice(oneLine(what)))
      const report = hear ?? this.storeTrouble(this.remote === null ? 'store' : 'server')
      const onTrouble = (error: BoardError | null): void => {
        // Stopping the stream also makes its pending query fail. This error is not reported.
        if (!stop.signal.aborted) report(error)
      }
      const listeners = { signal: stop.signal, onTrouble, onWait }
      yield* endOnAbort(begin(listeners), stop.signal)
    } finally {
      until?.removeEventListener('abort', end)
      forgetInterrupt()
      forgetOutput?.()
    }
  }

  async #stream<Input, Output>(
    operation: Operation<'stream', Input, Output>,
    input: Input,
  ): Promise<(listeners: Listeners) => AsyncIterable<Output>> {
    const { remote } = this
    if (remote !== null) return (listeners) => remote.follow<Output>(operation, input, listeners)
    const board = await this.board('read')
    return (listeners) => operation.run({ ...board, ...listeners }, input)
  }

  /** Runs an operation on a file. Inside a run, only the path is sent, and the supervisor reads the file. */
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
    // The file is checked before the store is opened, so that a missing file does not create a data folder.
    const { examineFile } = await import('../workspaces/files/readable-file.ts')
    const size = await examineFile(path, this.options.store)
    if (this.remote !== null) return this.remote.send<Output>(operation, input, { path, size })
    return operation.run(await this.board('write'), input, path)
  }

  /** Yields the content of an attachment, from the data folder or from the server. */
  async *download(
    file: Pick<Attachment, 'board' | 'taskId' | 'id' | 'storedPath' | 'size'>,
  ): AsyncGenerator<Uint8Array, void> {
    refuseInsideRun(this.options)
    if (this.remote !== null) {
      yield* this.remote.download(file.taskId, file.id)
      return
    }
    const { attachmentPieces } = await import('../operations/attachments/attachment-pieces.ts')
    yield* attachmentPieces({ ...file, home: this.options.home })
  }

  /** Opens the board for a command that reads the store itself, without an operation. */
  async board(mode: Mode): Promise<BoardContext> {
    this.remote?.refuseStore()
    return this.#context(await this.#store.shared(mode))
  }

  /** Opens the board for a long-running command. `makesHome` creates the data folder if it does not exist. */
  async lastingBoard(how: { makesHome: boolean }): Promise<BoardContext> {
    return this.#context(await this.#store.lasting(how))
  }

  get local(): LocalContext {
    this.remote?.refuseStore()
    refuseInsideRun(this.options)
    const { dispatcher, env, commandLine, endsAfter = false } = this.world
    return {
      options: this.options,
      actor: this.actor,
      openStore: this.#store.open,
      dispatcher,
      env,
      endsAfter,
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

/** The code for servers is loaded only if a URL was given, so that other commands start without it. */
async function openRemote(server: ServerChoice, version: string, needs: CommandNeeds): Promise<RemoteBoard> {
  const { RemoteBoard } = await import('./remote/remote-board.ts')
  return RemoteBoard.open(server, { version, command: needs })
}

async function checkFirst(operation: Published, input: unknown): Promise<void> {
  const { checkInput } = await import('../operations/shared/check-input.ts')
  await checkInput(operation, input)
}

const isFirstBoardMissing = (error: unknown): boolean =>
  error instanceof BoardError && error.code === 'board_not_found' && error.details['board'] === DEFAULT_BOARD
