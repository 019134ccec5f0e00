/** Prints the output of one command: the answer as JSON or as text, and notices for people. */
import { errorFacts } from '../../core/errors.ts'
import type { BoardError } from '../../core/errors.ts'
import { recordedIn } from '../../runs/socket/protocol.ts'
import { asTyped } from './as-typed.ts'
import type { OutputChoice } from '../common-flags.ts'
import { jsonText, oneLine } from './escape.ts'
import { jsonPieces } from './json-pieces.ts'
import { errorText, noticeText } from '../render/message.ts'
import { tsv } from '../render/tsv.ts'
import type { Cell } from '../render/tsv.ts'
import { idsOf, shapeJson } from './shape-output.ts'
import type { Terminal } from './terminal.ts'
import type { World } from '../world.ts'

/**
 * The exit codes: 0 done, 1 refused or failed, 2 wrong usage, 3 not found, 4 taken or changed by another caller, 75 try
 * later.
 */
export const EXIT = { done: 0, failed: 1 } as const

export const exitCodeOf = (error: BoardError): number => errorFacts(error.code).exit

type PrinterWorld = Pick<World, 'env' | 'stdout' | 'stderr' | 'terminal' | 'errorTerminal'>

/** The texts with which a list is printed. */
interface ListText<T> {
  readonly table: (items: readonly T[], terminal: Terminal) => string
  readonly row: (item: T) => readonly Cell[]
  /** The message for an empty list. */
  readonly empty: string
}

export class Printer {
  readonly choice: OutputChoice
  readonly #world: PrinterWorld

  constructor(world: PrinterWorld, choice: OutputChoice) {
    this.#world = world
    this.choice = choice
  }

  get json(): boolean {
    return this.choice.json
  }

  /** Prints the result: one JSON value, ids, or text. Commands in the text begin with the name that the person types. */
  answer(value: unknown, text: string): void {
    this.content(value, this.#asTyped(text))
  }

  /** Prints a result whose text is content of a card or a file. It is not changed, because a program may use it. */
  content(value: unknown, text: string): void {
    const { stdout } = this.#world
    if (this.json) for (const piece of jsonPieces(shapeJson(value, this.choice))) stdout.write(piece)
    else stdout.write(this.#textOf(value, text))
  }

  #textOf(value: unknown, text: string): string {
    const ids = this.choice.quiet ? idsOf(value) : null
    if (ids !== null) return ids.map((id) => `${id}\n`).join('')
    const shown = recordedIn(value) ?? text
    return shown === '' ? '' : `${shown}\n`
  }

  /** Prints a list: a table on a terminal, or rows with tabs between the cells in a pipe. */
  list<T>(items: readonly T[], { table, row, empty }: ListText<T>): void {
    const { terminal } = this.#world
    const text = (): string => (terminal === null ? tsv(items.map(row)) : table(items, terminal))
    const shown = this.json || items.length === 0 ? '' : text()
    if (terminal === null) this.content(items, shown)
    else this.answer(items, shown)
    if (items.length === 0) this.notice(empty)
  }

  #asTyped(text: string): string {
    return asTyped(text, this.#world.env['MUSTER_PROGRAM'])
  }

  /** Formats one line of a stream of JSON values. */
  jsonLine(value: unknown): string {
    return `${jsonText(shapeJson(value, this.choice))}\n`
  }

  /** Prints text for people. If a program requested JSON or ids, nothing is printed. */
  notice(text: string): void {
    if (this.json || this.choice.quiet) return
    this.#world.stderr.write(`${noticeText(this.#asTyped(text), this.#world.errorTerminal?.() ?? null)}\n`)
  }

  /**
   * Prints the error of one card among several. With --json nothing is printed, because the list already contains the
   * error.
   */
  cardError(error: BoardError, details: readonly string[]): void {
    if (this.json) return
    const text = this.#asTyped(errorText(error, this.#world.errorTerminal?.() ?? null))
    this.#world.stderr.write(`${[text, ...details].join('\n')}\n`)
  }

  /** Reports when the store or the server becomes unavailable and when it answers again, but not every retry. */
  storeTrouble(what: 'store' | 'server'): (error: BoardError | null) => void {
    let troubled = false
    return (error) => {
      if (troubled === (error !== null)) return
      troubled = error !== null
      if (error === null) this.notice(`The ${what} answers again.`)
      else if (this.json) this.#world.stderr.write(`${jsonText({ error })}\n`)
      else this.notice(`${oneLine(error.message)} Retrying.`)
    }
  }
}
