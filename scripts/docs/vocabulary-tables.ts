/** Statuses, outcomes and kinds of blocks. The compiler finds a word without a description. */
import { BLOCK_KINDS, OUTCOMES, STATUSES } from '../../src/core/vocabulary.ts'
import type { BlockKind, Outcome, Status } from '../../src/core/vocabulary.ts'
import { code, table } from './markdown.ts'

const STATUS_TEXTS: Readonly<Record<Status, readonly [meaning: string, next: string]>> = {
  triage: ['An idea, or a card that was blocked too often', '`muster promote`'],
  todo: ['Waits for unfinished parents', 'its parents finish'],
  scheduled: [
    'Waits until a set time. If no time is set, waits until a person continues it',
    'the time comes, or `muster unblock`',
  ],
  ready: ['Can start as soon as a slot is free', 'Muster starts it'],
  running: ['An agent or a person works on it', 'the run ends'],
  review: ['Waits for a reviewer', '`muster approve` or `muster request-changes`'],
  blocked: [
    'Needs a person: a question, a missing capability, or too many failures',
    '`muster answer` or `muster unblock`',
  ],
  done: ['Finished; its children may start', '`muster reopen` or `muster archive`'],
  archived: ['Hidden from lists; its children may start', '`muster unarchive` or `muster delete`'],
}

const OUTCOME_TEXTS: Readonly<Record<Outcome, readonly [meaning: string, counts: string]>> = {
  completed: ['The work is complete and its checks passed', 'no; it resets the count'],
  blocked: ['The agent blocked the card', 'no'],
  review_requested: ['The agent asked for a review', 'no'],
  changes_requested: ['A reviewer sent the card back', 'no'],
  crashed: ['The agent exited with an error or was killed', 'yes'],
  timed_out: ['The run reached its time limit, or the agent its turn limit', 'yes'],
  stale: ['The agent showed no activity for too long', 'no'],
  reclaimed: ['A person took the card back', 'no'],
  interrupted: [
    'Something other than the agent ended the run: a reboot, a lost supervisor, a full disk, a refused login',
    'no',
  ],
  spawn_failed: ['The run could not start, for example because its workspace is not usable', 'yes'],
  protocol_violation: [
    'The agent reported no result, even after two reminders',
    'separately: three in a row block the card',
  ],
  rate_limited: ['The agent reached a rate limit or quota', 'no'],
  checks_failed: ['The checks did not pass within the allowed tries', 'yes'],
  stopped: ['A person stopped the run', 'no'],
  gave_up: [
    'Reserved for runs that are imported from another board. The event `gave_up` is something else: a limit was reached',
    'no',
  ],
}

const BLOCK_TEXTS: Readonly<Record<BlockKind, string>> = {
  needs_input: 'The agent has a question, or a person must decide',
  capability: 'The agent cannot do it: a tool, a login or a permission is missing',
  transient: 'An external service is temporarily unavailable',
  dependency: 'Other work must finish first',
  review: 'A person must look at it',
  breaker: 'Set by Muster: the failure limit was reached',
  budget: 'Set by Muster: the goal of the card has used all of its turns',
  attempts: 'Set by Muster: the attempts limit was reached',
}

export const statuses = (): string[] =>
  table(
    ['Status', 'Meaning', 'Until'],
    STATUSES.map((status) => [code(status), ...STATUS_TEXTS[status]]),
  )

export const outcomes = (): string[] =>
  table(
    ['Outcome', 'Meaning', 'Counts as a failure'],
    OUTCOMES.map((outcome) => [code(outcome), ...OUTCOME_TEXTS[outcome]]),
  )

export const blockKinds = (): string[] =>
  table(
    ['Kind', 'Meaning'],
    BLOCK_KINDS.map((kind) => [code(kind), BLOCK_TEXTS[kind]]),
  )
