/** Tokens and cost of ended runs. */
import type { TaskId } from '../../core/ids.ts'
import type { Dialect } from '../dialect.ts'
import { join, raw, sql, valueList } from '../sql.ts'
import type { Sql } from '../sql.ts'

/** The SQL for a value in the JSON of `usage`. Each engine has its own way to read JSON. */
const member = (engine: Dialect['engine'], name: string): Sql =>
  raw(engine === 'sqlite' ? `usage ->> '${name}'` : `(usage::json ->> '${name}')::float8`)

/**
 * The usage by agent and day, from the latest `most` runs since the first of `days`. `days` are the beginnings of days,
 * in order. The value `day` in a row is an index into `days`. The query reads one range of the index `run_usage`.
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

/**
 * Counts how the latest runs of each agent ended, among at most `most` runs since a time. The query reads one range of
 * `run_ended`.
 */
export const endingsSince = (since: number, most: number): Sql => sql`
  select coalesce(agent, '') as agent, outcome, count(*) as n
  from (
    select agent, outcome from run where ended_at >= ${since} and ended_at is not null and kind = 'agent'
    order by ended_at desc limit ${most}
  ) latest
  group by agent, outcome order by agent, outcome`

/** Counts how the runs of agents on some boards ended in each period. The query reads one range of `run_ended`. */
export function endingsIn(boards: readonly string[], starts: readonly number[], most: number): Sql {
  const later = starts.slice(1).map((start) => sql`case when ended_at >= ${start} then 1 else 0 end`)
  const period = later.length === 0 ? raw('0') : join(later, ' + ')
  return sql`
    select period, outcome, count(*) as n
    from (
      select ${period} as period, outcome from run
      where ended_at >= ${starts[0] ?? 0} and ended_at is not null and kind = 'agent' and board in ${valueList(boards)}
      order by ended_at desc limit ${most}
    ) latest
    group by period, outcome order by period, outcome`
}

/** The number, cost and duration of all attempts at some cards. */
export const spentOn = (engine: Dialect['engine'], ids: readonly TaskId[]): Sql => sql`
  select r.task_id, count(*) as runs, sum(r.cost) as cost, sum(r.ms) as ms
  from (
    select run.task_id, ${member(engine, 'costUsd')} as cost, coalesce(run.ended_at, run.started_at) - run.started_at as ms
    from task join run on run.board = task.board and run.task_id = task.id where task.id in ${valueList(ids)}
  ) r
  group by r.task_id`
