/**
 * A transaction is a generator of steps. SQLite drives it synchronously, so no transaction there ever spans an `await`;
 * PostgreSQL drives the same generator over the network. An `Ask` needs its answers before the transaction can
 * continue. A `Write` does not: PostgreSQL sends it together with the next `Ask`, or with the commit. So a transaction
 * costs one round trip for each `Ask` and one for its commit, however many statements it has.
 */
import type { Sql, SqlValue } from './sql.ts'

export type Row = Readonly<Record<string, SqlValue>>
export type Rows = readonly Row[]

/** A statement whose rows the transaction waits for. */
export interface Question extends Sql {
  /** Neighbouring questions with the same snapshot name may read the same state, so they can become one statement. */
  readonly snapshot?: string
}

/** Statements that are sent together and run one after the other. */
export interface Ask {
  readonly ask: readonly Question[]
}

/** A statement that nothing waits for. With `orConflict` it must return a row; otherwise it raises a `Conflict`. */
export interface Write {
  readonly write: Sql
  readonly orConflict: string | null
  /**
   * The table that the statement alters, or null for a check. Neighbouring writes to different tables may become one
   * statement, in which no write sees the changes of the others.
   */
  readonly alters?: string | null
  /** A statement whose rows `write` reads under this name. Only the PostgreSQL dialect uses it. */
  readonly from?: { readonly name: string; readonly query: Sql }
}

export type Step = Ask | Write
export type Tx<T> = Generator<Step, T, readonly Rows[]>
/** The part of a transaction that only asks. Several of them can run `together`. */
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

/** Lets PostgreSQL answer all questions of a round from one snapshot. */
export function* inSnapshot<T>(snapshot: string, asker: Asking<T>): Asking<T> {
  let step = asker.next()
  while (step.done !== true)
    step = asker.next(yield { ask: step.value.ask.map(({ strings, values }) => ({ strings, values, snapshot })) })
  return step.value
}

export function* run(query: Sql, alters?: Write['alters']): Tx<void> {
  yield { write: query, orConflict: null, ...(alters === undefined ? {} : { alters }) }
}

/** A compare-and-set: if the statement returns no row, the whole decision is made again. */
export function* runOrConflict(query: Sql, orConflict: string, alters?: Write['alters']): Tx<void> {
  yield { write: query, orConflict, ...(alters === undefined ? {} : { alters }) }
}

/** Runs several askers side by side: each round sends the next statements of all of them, in the order of the askers. */
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
  // One result for each asker, in their order: what the type says.
  return steps.map((step) => step.value) as unknown as T
}

/** Raised inside a decision whose ground moved: the driver rolls back and decides again. */
export class Conflict extends Error {
  override readonly name = 'Conflict'
}
