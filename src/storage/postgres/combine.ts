/**
 * Sends several statements as one. Each statement costs the driver and the server a fixed time, and its answer a packet.
 */
import { join, raw, sql } from '../sql.ts'
import type { Ask, Question, Rows, Write } from '../tx.ts'
import type { Outgoing } from './connection.ts'

/** One statement that replaces one or more of the caller's. */
interface Combined {
  readonly statement: Outgoing
  /** The rows of each of the caller's statements. */
  readonly split: (rows: Rows) => readonly Rows[]
}

type Group<T> = [T, ...T[]]

/**
 * The server keeps a prepared statement for each text. Lists of different lengths make many texts, and combining such
 * statements would multiply their number.
 */
const MOST_VALUES = 200

export const combineQuestions = ({ ask }: Ask): readonly Combined[] =>
  groupNeighbours(ask, { valuesOf: ({ values }) => values.length, fits: sharesSnapshot }).map((group) => {
    const [only, ...more] = group
    return more.length === 0 ? { statement: only, split: (rows) => [rows] } : answerTogether(group)
  })

const sharesSnapshot = ([first]: Group<Question>, next: Question): boolean =>
  next.snapshot !== undefined && next.snapshot === first.snapshot

/**
 * Each answer is a JSON list of rows. PostgreSQL evaluates the answers from left to right, so rows are locked in the
 * fixed order. It does not promise that; otherwise the server would detect the deadlock, and the decision be made again.
 */
function answerTogether(group: Group<Question>): Combined {
  const answers = group.map(
    (question, at) => sql`array_to_json(array(select answer from (${question}) answer)) as ${raw(`answer_${at}`)}`,
  )
  return {
    statement: sql`select ${join(answers, ', ')}`,
    // The driver parses JSON, so a column of this statement is a list of rows.
    split: ([row]) => group.map((_, at) => row?.[`answer_${at}`] as unknown as Rows),
  }
}

export const combineWrites = (writes: readonly Write[]): readonly Outgoing[] =>
  groupNeighbours(writes, { valuesOf: valuesOfWrite, fits: altersAnotherTable }).map((group) => {
    const [only, ...more] = group
    return more.length === 0 && only.orConflict === null && only.from === undefined ? only.write : writeTogether(group)
  })

const valuesOfWrite = ({ write, from }: Write): number => write.values.length + (from?.query.values.length ?? 0)

/** A check must come before the writes in its group, because it does not see their changes. */
const altersAnotherTable = (group: Group<Write>, next: Write): boolean =>
  next.alters !== undefined &&
  group.every(
    ({ alters }) => alters !== undefined && (alters === null || (next.alters !== null && next.alters !== alters)),
  )

/**
 * A compare-and-set that matches no row must stop the batch, because the commit may be behind it: the server divides by
 * the number of rows.
 */
function writeTogether(group: Group<Write>): Outgoing {
  const named = group.flatMap(({ write, from }, at) => [
    ...(from === undefined ? [] : [sql`${raw(from.name)} as (${from.query})`]),
    sql`${raw(`write_${at}`)} as (${write})`,
  ])
  const guards = group.flatMap(({ orConflict }, at) =>
    orConflict === null ? [] : [{ orConflict, divides: raw(`1 / (select count(*) from write_${at})`) }],
  )
  const divisions = guards.map(({ divides }) => divides)
  return {
    guarded: sql`with ${join(named, ', ')} select ${join([raw('1'), ...divisions], ' + ')} as done`,
    orConflict: guards.map(({ orConflict }) => orConflict).join(', or '),
  }
}

interface Grouping<T> {
  readonly valuesOf: (statement: T) => number
  readonly fits: (group: Group<T>, next: T) => boolean
}

function groupNeighbours<T>(statements: readonly T[], { valuesOf, fits }: Grouping<T>): Group<T>[] {
  const groups: Group<T>[] = []
  let values = 0
  for (const statement of statements) {
    const group = groups.at(-1)
    values += valuesOf(statement)
    if (group !== undefined && values <= MOST_VALUES && fits(group, statement)) {
      group.push(statement)
    } else {
      groups.push([statement])
      values = valuesOf(statement)
    }
  }
  return groups
}
