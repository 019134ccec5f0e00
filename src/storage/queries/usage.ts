/** Tokens and cost of ended runs. */
import type { Dialect } from '../dialect.ts'
import { join, raw, sql } from '../sql.ts'
import type { Sql } from '../sql.ts'

/** A member of the JSON in `usage`. Each engine has its own way to read JSON in text. */
const member = (engine: Dialect['engine'], name: string): Sql =>
  raw(engine === 'sqlite' ? `usage ->> '${name}'` : `(usage::json ->> '${name}')::float8`)

/**
 * The usage by agent and day, from the latest `most` runs since the first of `days`. `days` are the beginnings of days,
 * in order. `day` in a row is an index into them. Reads one range of the index `run_usage`.
 */
export function usageSince(
  engine: Dialect['engine'],
  board: string,
  { days, most }: { readonly days: readonly number[]; readonly most: number },
): Sql {
  const later = days.slice(1).map((start) => sql`case when ended_at >= ${start} then 1 else 0 end`)
  const day = later.length === 0 ? raw('0') : join(later, ' + ')
  return sql`
    select agent, day, count(*) as runs, sum(tokens_in) as tokens_in, sum(tokens_out) as tokens_out, sum(cost) as cost
    from (
      select coalesce(agent, '') as agent, ${day} as day, ${member(engine, 'inputTokens')} as tokens_in,
        ${member(engine, 'outputTokens')} as tokens_out, ${member(engine, 'costUsd')} as cost
      from run where board = ${board} and usage is not null and ended_at >= ${days[0] ?? 0}
      order by ended_at desc limit ${most}
    ) latest
    group by agent, day order by agent, day`
}
