/**
 * A cache of answers. A cached answer is sent without running the operation, as long as none of its data has changed.
 */
import { agentStamp } from '../../agents/agent-stamp.ts'
import type { Revision } from '../../storage/store.ts'
import { askOncePerTurn } from '../../util/ask-once-per-turn.ts'
import { Remembered } from '../remembered.ts'
import { makeAnswer } from './respond.ts'
import type { PreparedAnswer } from './respond.ts'
import type { Route } from './table.ts'

/** The limits of the memory: 16 MB for each route. */
const LONGEST = 64 * 1024
const MOST = 256

interface RememberedAnswer {
  readonly answer: PreparedAnswer
  /** The agent whose file is part of the answer, and the state of this file. */
  readonly agent: { readonly name: string; readonly stamp: string } | null
}

export class RememberedAnswers {
  readonly #home: string
  readonly #agentOf: NonNullable<Route['remember']>
  readonly #answers = new Remembered<RememberedAnswer>(MOST)
  readonly #stampNow = askOncePerTurn((agent: string) => agentStamp(this.#home, agent))

  constructor(home: string, agentOf: NonNullable<Route['remember']>) {
    this.#home = home
    this.#agentOf = agentOf
  }

  /** Returns the answer for this key. If it is not cached, `run` produces it. */
  async answer(key: string, revision: Revision, run: () => Promise<unknown>): Promise<PreparedAnswer> {
    const before = this.#answers.get(key, revision)
    if (before !== undefined && (await this.#isCurrent(before))) return before.answer
    const startedAt = Date.now()
    const output = await run()
    const answer = makeAnswer(JSON.stringify(output))
    if (answer.text.length <= LONGEST) await this.#remember(key, revision, { answer, startedAt, output })
    return answer
  }

  async #isCurrent({ agent }: RememberedAnswer): Promise<boolean> {
    return agent === null || (await this.#stampNow(agent.name)) === agent.stamp
  }

  async #remember(
    key: string,
    revision: Revision,
    made: { readonly answer: PreparedAnswer; readonly startedAt: number; readonly output: unknown },
  ): Promise<void> {
    const name = this.#agentOf(made.output as never)
    const stamp = name === null ? '' : await agentStamp(this.#home, name, made.startedAt)
    if (stamp === null) return
    this.#answers.set(key, revision, { answer: made.answer, agent: name === null ? null : { name, stamp } })
  }
}
