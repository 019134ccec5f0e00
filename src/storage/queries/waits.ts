/** Selects cards by what they wait for. The conditions use only columns of `task`, so a filter can count them. */
import type { WaitKind } from '../../core/wait-kind.ts'
import { join, raw, sql } from '../sql.ts'
import type { Sql } from '../sql.ts'
import { INBOX_SOURCES, IN_REVIEW } from './inbox.ts'

/** The columns that the conditions read. */
export const WAIT_COLUMNS = [
  'block_kind',
  'breaker_open',
  'reviewer',
  'held',
  'commands_approved',
  'open_parents',
  'due_at',
  'pick_since',
] as const

const either = (conditions: readonly Sql[]): Sql =>
  sql`(${join(
    conditions.map((one) => sql`(${one})`),
    ' or ',
  )})`

/** A review waits for a person if it failed too often, or if neither the card nor its board names a reviewer. */
const reviewByPerson = (board: string): Sql => sql`(${raw(IN_REVIEW)} and (breaker_open = 1 or not exists (
  select 1 from board where slug = ${board} and settings like ${'%"reviewer":"%'})))`

const ASKED = INBOX_SOURCES.question
const APPROVAL = INBOX_SOURCES.approval
const STOPPED = INBOX_SOURCES.stopped

export function waitCondition(board: string, kind: WaitKind): Sql {
  switch (kind) {
    case 'person':
      return either([
        ...ASKED,
        ...APPROVAL,
        ...STOPPED,
        ...INBOX_SOURCES.pick,
        ...INBOX_SOURCES.blocked,
        ...INBOX_SOURCES.triage,
        reviewByPerson(board),
      ])
    case 'question':
      return either(ASKED)
    case 'approval':
      return either(APPROVAL)
    case 'review':
      return reviewByPerson(board)
    case 'stopped':
      return either([...STOPPED, ...INBOX_SOURCES.review])
    case 'parents':
      return raw(`(status = 'todo' and open_parents > 0)`)
    case 'hold':
      return raw(`(held = 1 and status in ('todo', 'scheduled', 'ready', 'review'))`)
    case 'time':
      return raw(`(due_at is not null and status in ('todo', 'scheduled', 'ready', 'review'))`)
  }
}
