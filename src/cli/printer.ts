/** Prints the output of one command: an answer as JSON or as text, and notices for people. */
import { errorFacts } from '../core/errors.ts'
import type { BoardError } from '../core/errors.ts'
import { recordedIn } from '../runs/socket/protocol.ts'
import { oneLine } from './escape.ts'
import { jsonPieces } from './json-pieces.ts'
import type { World } from './world.ts'

/** 0 done, 1 refused or failed, 2 usage, 3 not found, 4 held or changed by someone else, 75 try later. */
export const EXIT = { done: 0, failed: 1 } as const

export const exitCodeOf = (error: BoardError): number => errorFacts(error.code).exit

export class Printer {
  readonly json: boolean
  readonly #world: Pick<World, 'stdout' | 'stderr'>

  constructor(world: Pick<World, 'stdout' | 'stderr'>, json: boolean) {
    this.#world = world
    this.json = json
  }

  /** Prints the result, as exactly one JSON value or as text. */
  answer(value: unknown, text: string): void {
    if (!this.json) this.#world.stdout.write(`${recordedIn(value) ?? text}\n`)
    else for (const piece of jsonPieces(value)) this.#world.stdout.write(piece)
  }

  /** Prints text for people. A program that asked for JSON gets only the JSON. */
  notice(text: string): void {
    if (!this.json) this.#world.stderr.write(`${text}\n`)
  }

  /** Reports an unavailable store once, and once more when it answers again, not at every retry. */
  storeTrouble(): (error: BoardError | null) => void {
    let troubled = false
    return (error) => {
      if (troubled === (error !== null)) return
      troubled = error !== null
      if (error === null) this.notice('The store answers again.')
      else if (this.json) this.#world.stderr.write(`${JSON.stringify({ error })}\n`)
      else this.notice(`${oneLine(error.message)} Retrying.`)
    }
  }
}
