/**
 * A transaction is a generator of steps. SQLite runs the generator synchronously, so a transaction on SQLite never
 * spans an `await`. PostgreSQL runs the same generator over the network. An `Ask` waits for its answers. A `Write` does
 * not wait: PostgreSQL sends it together with the next `Ask` or with the commit. So a transaction costs one round trip
 * for each `Ask` and one for its commit.
 */
import type { Sql, SqlValue } from './sql.ts'

export type Row = Readonly<Record<string, SqlValue>>
export type Rows = readonly Row[]

/** Statements whose rows the transaction waits for. The statements are sent together and run in order. */
export interface Ask {
  readonly ask: readonly Sql[]
}

/**
 * A statement whose rows the transaction does not need. With `orConflict`, the statement must return a row; otherwise
 * it raises a `Conflict`.
 */
export interface Write {
  readonly write: Sql
  readonly orConflict: string | null
}

export type Step = Ask | Write
export type Tx<T> = Generator<Step, T, readonly Rows[]>
/** A part of a transaction that only contains `Ask` steps. Several such parts can run `together`. */
export type Asking<T> = Generator<Ask, T, readonly Rows[]>

export const isWrite = (step: Step): step is Write => 'write' in step

/** The rows of several statements that do not depend on each other. */
export function* askAll(statements: readonly Sql[]): Asking<readonly Rows[]> {
  return statements.length === 0 ? [] : yield { ask: statements }
}

export function* all(query: Sql): Asking<Rows> {
  const [rows = []] = yield { ask: [query] }
  return rows
}

export function* first(query: Sql): Asking<Row | null> {
  const [rows = []] = yield { ask: [query] }
  return rows[0] ?? null
}

export function* run(query: Sql): Tx<void> {
  yield { write: query, orConflict: null }
}

/** Runs a compare-and-set. If the statement returns no row, the store repeats the whole decision. */
export function* runOrConflict(query: Sql, orConflict: string): Tx<void> {
  yield { write: query, orConflict }
}

/** Runs several `Asking` generators together. Each round sends the next statements of all generators, in order. */
export function* together<T extends readonly unknown[]>(askers: { readonly [K in keyof T]: Asking<T[K]> }): Asking<T> {
  const list = askers as readonly Asking<unknown>[]
  const steps = list.map((asker) => asker.next())
  for (;;) {
    const open = steps.flatMap((step, at) => (step.done === true ? [] : [{ at, ask: step.value.ask }]))
    if (open.length === 0) break
    const answers = yield { ask: open.flatMap(({ ask }) => ask) }
    let from = 0
    for (const { at, ask } of open) {
      const step = list[at]?.next(answers.slice(from, from + ask.length))
      if (step !== undefined) steps[at] = step
      from += ask.length
    }
  }
  // The cast is safe, because the list has one result for each generator, in their order.
  return steps.map((step) => step.value) as unknown as T
}

/**
 * A decision throws this error if rows changed after the decision read them. The store then rolls back and repeats the
 * decision.
 */
export class Conflict extends Error {
  override readonly name = 'Conflict'
}
