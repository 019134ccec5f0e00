/** One invocation of a command: its options, its way to the board, its two forms of output. */
import { statSync } from 'node:fs'
import type { InsideRun, Options } from '../config/load.ts'
import { DEFAULT_BOARD, loadOptions } from '../config/load.ts'
import { clockShift } from '../config/test-world.ts'
import type { Actor } from '../core/actor.ts'
import { BoardError } from '../core/errors.ts'
import type { BoardContext, LocalContext, Operation, Published } from '../operations/shared/operation.ts'
import { describeLocation, parseLocation } from '../storage/location.ts'
import type { StoreLocation } from '../storage/location.ts'
import { openStore } from '../storage/open.ts'
import type { Store } from '../storage/store.ts'
import type { RunConnection } from '../runs/socket/client.ts'
import { recordedIn } from '../runs/socket/recorded.ts'
import { runOver } from '../runs/socket/run-over.ts'
import { oneLine } from './escape.ts'
import type { CommonFlags } from './common-flags.ts'
import { EXIT } from './exit-codes.ts'
import { jsonPieces } from './json-pieces.ts'
import type { World } from './world.ts'
import { shellWord } from '../util/shell-word.ts'

type Mode = 'read' | 'write'

/** What a command is like, as far as its store is concerned. */
export interface Nature {
  /** Whether it makes home, store and first board where there are none. */
  readonly makesHome?: boolean
  /** Whether it goes on for long beside its store, which a thread then keeps. */
  readonly goesOn?: boolean
}

export class Call {
  readonly world: World
  readonly json: boolean
  readonly options: Options
  exitCode: number = EXIT.done
  /** Whether this call has changed the store: repeating it would make the change twice. */
  hasChanged = false
  /** Whether what was followed was ended by Ctrl-C, or by a reader that went away. */
  stopped = false
  /** The board that was typed, for commands that serve every board unless told otherwise. */
  readonly typedBoard: string | null
  readonly #nature: Nature
  /** Inside a run: the way to its supervisor, which is the only way to the board. */
  #supervisor: Promise<RunConnection> | null = null
  #opened: { readonly mode: Mode; readonly store: Promise<Store> } | null = null
  /** Which file the store of a lasting board is. */
  #file: string | null = null

  private constructor(world: World, flags: CommonFlags, options: Options, nature: Nature) {
    this.world = world
    this.json = flags.json
    this.options = options
    this.typedBoard = flags.board === undefined ? null : options.board
    this.#nature = nature
  }

  static async begin(world: World, flags: CommonFlags, nature: Nature): Promise<Call> {
    const options = await loadOptions(world.env, { board: flags.board })
    const { insideRun } = options
    if (insideRun !== null && (insideRun.nonce === null || insideRun.socket === null)) throw runOver(insideRun.run)
    const call = new Call(world, flags, options, nature)
    for (const warning of options.warnings) call.notice(warning)
    return call
  }

  get actor(): Actor {
    return { kind: 'person', name: this.options.user }
  }

  /** The result, as exactly one JSON value or as text. */
  answer(value: unknown, text: string): void {
    if (!this.json) this.world.stdout.write(`${recordedIn(value) ?? text}\n`)
    else for (const piece of jsonPieces(value)) this.world.stdout.write(piece)
  }

  /** For people only: whoever reads JSON reads nothing else. */
  notice(text: string): void {
    if (!this.json) this.world.stderr.write(`${text}\n`)
  }

  /**
   * Asks for one operation on the board. The store is opened at the first, and serves all that follow. `onPending` is
   * called when what was asked is on record and only the end of a live run is waited for.
   */
  async ask<Input, Output>(
    operation: Operation<'query' | 'command', Input, Output>,
    input: Input,
    onPending: () => void = () => {},
  ): Promise<Output> {
    const output = await this.#ask(operation, input, onPending)
    this.hasChanged ||= operation.kind === 'command'
    return output
  }

  async #ask<Input, Output>(
    operation: Operation<'query' | 'command', Input, Output>,
    input: Input,
    onPending: () => void,
  ): Promise<Output> {
    if (this.options.insideRun !== null) return this.#askSupervisor(this.options.insideRun, operation, input)
    const mode = operation.kind === 'query' ? 'read' : 'write'
    try {
      const store = await this.#store(mode, () => checkFirst(operation, input))
      return await operation.run({ ...this.#context(store), onPending }, input)
    } catch (error) {
      if (!this.#nature.makesHome || !isFirstBoardMissing(error)) throw error
      // The store was cut off while it was made.
      await this.#makeHome()
      return operation.run(this.#context(await this.#store(mode)), input)
    }
  }

  /**
   * Asks for a stream of values. Ctrl-C ends it, and so does a reader that goes away: neither is an error. A store that
   * does not answer is asked again, which is said once.
   */
  async *follow<Input, Output>(operation: Operation<'stream', Input, Output>, input: Input): AsyncGenerator<Output> {
    const stop = new AbortController()
    const end = (): void => {
      this.stopped = true
      stop.abort()
    }
    const forgetInterrupt = this.world.onInterrupt(end)
    const forgetOutput = this.world.onOutputClosed?.(end)
    try {
      const context = this.#context(await this.#store('read'))
      const onWait = (what: string): void => this.notice(oneLine(what))
      yield* operation.run({ ...context, signal: stop.signal, onTrouble: this.#tellTrouble(), onWait }, input)
    } finally {
      forgetInterrupt()
      forgetOutput?.()
    }
  }

  /**
   * Asks for an operation that takes a file along. Inside a run only its path goes to the supervisor, who reads it. It
   * can be read only once, so nothing is tried twice.
   */
  async send<Input, Output>(
    operation: Operation<'transfer', Input, Output>,
    input: Input,
    path: string,
  ): Promise<Output> {
    const output = await this.#send(operation, input, path)
    this.hasChanged = true
    return output
  }

  async #send<Input, Output>(
    operation: Operation<'transfer', Input, Output>,
    input: Input,
    path: string,
  ): Promise<Output> {
    const { insideRun, store } = this.options
    if (insideRun !== null) return this.#askSupervisor(insideRun, operation, { ...input, path })
    // Checked before the store is opened, so that a missing file does not create a data folder.
    const { examineFile } = await import('../workspaces/files/readable-file.ts')
    await examineFile(path, store)
    return operation.run(this.#context(await this.#store('write')), input, path)
  }

  /** For what is no operation: a command that looks at the store itself. */
  async board(mode: Mode): Promise<BoardContext> {
    return this.#context(await this.#store(mode))
  }

  /**
   * The board for a command that stays for long and asks several things at once. Its store is opened at the first, and
   * again where that failed or where another file has taken its place: what is written into one that was deleted is
   * lost. `makesHome`: for what may be the first thing on a board.
   */
  async lastingBoard({ makesHome }: { makesHome: boolean }): Promise<BoardContext> {
    for (;;) {
      const before = this.#opened
      const store = (await before?.store.catch(() => null)) ?? null
      if (store !== null && fileAt(this.options.store) === this.#file) return this.#context(store)
      if (this.#opened !== before) continue
      const opening = makesHome ? this.#openOrMakeHome('write') : this.openStore('write')
      const opened = opening.then((store) => {
        this.#file = fileAt(this.options.store)
        return store
      })
      // Whoever still uses the one before may finish with it.
      this.#opened = { mode: 'write', store: opened }
      await opened
    }
  }

  get insideRun(): boolean {
    return this.options.insideRun !== null
  }

  get local(): LocalContext {
    this.#refuseInsideRun()
    const { dispatcher, env, commandLine } = this.world
    return {
      options: this.options,
      actor: this.actor,
      openStore: this.openStore,
      dispatcher,
      env,
      ...(commandLine === undefined ? {} : { commandLine }),
    }
  }

  readonly openStore = async (mode: Mode | 'create'): Promise<Store> => {
    this.#refuseInsideRun()
    const location = parseLocation(this.options.store)
    const thread = this.#nature.goesOn ? this.world.storeThread : undefined
    try {
      return await openStore(location, { mode, shift: clockShift, ...(thread !== undefined && { thread }) })
    } catch (error) {
      if (!isMissing(error)) throw error
      const message = (await this.#lostStore(location)) ?? noBoardYet(location)
      throw new BoardError('store_missing', message, { details: error.details, cause: error })
    }
  }

  /** A folder with backups had a store before, so beginning anew is not the first remedy. */
  async #lostStore(location: StoreLocation): Promise<string | null> {
    if (location.engine !== 'sqlite') return null
    const { backupsIn } = await import('../operations/backups/backups.ts')
    const [newest] = await backupsIn(this.options.home)
    if (newest === undefined) return null
    return `The store ${describeLocation(location)} is missing. Put the file back, or restore the newest backup: muster backup restore ${shellWord(newest.name)} --yes`
  }

  async close({ exiting = false } = {}): Promise<void> {
    const opened = this.#opened
    this.#opened = null
    // One that could not be opened has been reported by whoever asked for it.
    const store = await opened?.store.catch(() => null)
    await store?.close({ exiting })
    const supervisor = await this.#supervisor?.catch(() => null)
    supervisor?.close()
  }

  async #askSupervisor<Output>(
    run: InsideRun,
    { name, kind }: Pick<Operation<'query' | 'command' | 'transfer', never, unknown>, 'name' | 'kind'>,
    input: unknown,
  ): Promise<Output> {
    this.#supervisor ??= import('../runs/socket/client.ts').then(({ connectToRun }) => connectToRun(run))
    try {
      // The supervisor ran that very operation; checking its answer would cost every call the schema library.
      return (await (await this.#supervisor).ask(name, input)) as Output
    } catch (error) {
      if (kind === 'query' || !isRunOver(error)) throw error
      const { saveIfRunEnded } = await import('../runs/socket/save-if-run-ended.ts')
      throw await saveIfRunEnded(error, run, { verb: name, content: input })
    }
  }

  #refuseInsideRun(): void {
    const { insideRun } = this.options
    if (insideRun === null) return
    throw new BoardError(
      'not_allowed',
      `This is for a person at the machine: run ${insideRun.run} has only its board.`,
      {
        details: { runId: insideRun.run },
      },
    )
  }

  /** Once when it begins and once when it is over, however often the store is asked meanwhile. */
  #tellTrouble(): (error: BoardError | null) => void {
    let troubled = false
    return (error) => {
      if (troubled === (error !== null)) return
      troubled = error !== null
      if (error === null) this.notice('The store answers again.')
      else if (this.json) this.world.stderr.write(`${JSON.stringify({ error })}\n`)
      else this.notice(`${oneLine(error.message)} Trying on.`)
    }
  }

  #context(store: Store): BoardContext {
    const { checker } = this.world
    return {
      store,
      board: this.options.board,
      actor: this.actor,
      options: this.options,
      ...(checker === undefined ? {} : { checker }),
    }
  }

  /** No await before it is known to the next caller: two that ask at once share one store. */
  #store(mode: Mode, check?: () => Promise<unknown>): Promise<Store> {
    const before = this.#opened
    if (before !== null && (mode === 'read' || before.mode === 'write')) return before.store
    const closed = this.close()
    const store = closed.then(() => this.#openOrMake(mode, check))
    const opened = { mode, store }
    this.#opened = opened
    // Whoever asks again later finds it open, if it can be opened by then.
    store.catch(() => {
      if (this.#opened === opened) this.#opened = null
    })
    return store
  }

  /** What could not be done anyway makes no home: `check` says so first. */
  #openOrMake(mode: Mode, check?: () => Promise<unknown>): Promise<Store> {
    return this.#nature.makesHome ? this.#openOrMakeHome(mode, check) : this.openStore(mode)
  }

  async #openOrMakeHome(mode: Mode, check?: () => Promise<unknown>): Promise<Store> {
    try {
      return await this.openStore(mode)
    } catch (error) {
      if (!isMissing(error)) throw error
      await check?.()
      const lost = await this.#lostStore(parseLocation(this.options.store))
      if (lost !== null) this.notice(`${lost}\nUntil then a new, empty store takes its place.`)
      await this.#makeHome()
      return this.openStore(mode)
    }
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

/** Tells a file from another of the same name; a store that is no file here is always the same. */
function fileAt(store: string): string | null {
  const location = parseLocation(store)
  if (location.engine !== 'sqlite') return null
  const stat = statSync(location.path, { throwIfNoEntry: false })
  return stat === undefined ? null : `${stat.dev}:${stat.ino}`
}

const isRunOver = (error: unknown): error is BoardError => error instanceof BoardError && error.code === 'run_over'

const noBoardYet = (location: StoreLocation): string =>
  `There is no board here yet (nothing at ${describeLocation(location)}): begin with muster create "<title>", or muster init.`

const isMissing = (error: unknown): error is BoardError => error instanceof BoardError && error.code === 'store_missing'

const isFirstBoardMissing = (error: unknown): boolean =>
  error instanceof BoardError && error.code === 'board_not_found' && error.details['board'] === DEFAULT_BOARD
