/** Describes in a few words why a card waits. For a reason without such a text, the sentence of `why` is used. */
import type { Reason, ReasonCode, ReasonParams } from '../../core/reasons/reason.ts'
import { cliNamed } from '../../harnesses/detect/clis.ts'
import { oneLine } from '../output/escape.ts'
import { span } from './format-values.ts'

type Texts = { readonly [C in ReasonCode]?: (params: ReasonParams[C], wait: string) => string }

const cards = (count: number): string => (count === 1 ? 'a card' : `${count} cards`)

const TEXTS: Texts = {
  agent_unknown: ({ agent }) => {
    const cli = cliNamed(agent)
    return cli === null ? `agent ${agent} is unknown` : `${cli.title} is not set up`
  },
  agent_file_broken: ({ agent }) => `the file of agent ${agent} is broken`,
  agent_file_changed: ({ agent }) => `agent ${agent} needs your approval`,
  agent_unapproved: ({ agent }) => `agent ${agent} needs your approval`,
  agents_unreadable: () => 'the agents cannot be read',
  program_missing: ({ agent, program }) => `${program ?? `the program of ${agent}`} is not installed`,
  body_missing: () => 'has no script',
  commands_unapproved: () => 'needs your approval',
  parents_open: ({ count, parents: [first] }) =>
    `waits for ${count === 1 && first?.title != null ? first.title : cards(count)}`,
  entries_open: ({ open, total }) => `waits for ${open} of ${total} entries`,
  pick_needed: () => 'waits for your pick',
  judge_picks: () => 'waits for a pick by the judge',
  no_entry_left: () => 'no entry can win',
  held: () => 'on hold',
  not_approved: () => 'waits for an approval',
  scheduled: (_, wait) => `starts${wait}`,
  parked: () => 'scheduled without a time',
  unassigned: () => 'unassigned',
  retry_wait: (_, wait) => `retries${wait}`,
  rate_limit_wait: (_, wait) => `rate limited, retries${wait}`,
  recent_success: (_, wait) => `retries${wait}`,
  pull_request_linked: (_, wait) => `retries${wait}`,
  outside_hours: ({ at }, wait) =>
    at === null ? 'its active hours never overlap' : `starts${wait}, in its active hours`,
  paused: ({ kind, name }) => (kind === 'machine' ? 'this machine is paused' : `${kind} ${name} is paused`),
  account_paused: ({ account, cause }) =>
    cause === 'auth' ? `account ${account} needs a login` : `account ${account} is paused`,
  account_probed: ({ account }) => `account ${account} is being tested`,
  cap_reached: ({ cap, used, limit }) => `limit of the ${cap}: ${used} of ${limit} runs`,
  review_assigned: ({ reviewer }) => `${reviewer} reviews it`,
  review_by_person: () => 'waits for your review',
  reviewer_failed: () => 'waits for your review',
  blocked: ({ reason, kind }) => reason ?? kind.replaceAll('_', ' '),
  // If the card was changed after it was blocked, the number of failures is 0. Such a card stays blocked.
  breaker_open: ({ failures }) =>
    failures === 0
      ? 'stopped after failures'
      : `stopped after ${failures === 1 ? '1 failure' : `${failures} failures`}`,
  attempts_spent: () => 'stopped after too many attempts',
  rejected_too_often: ({ times }) => `changes requested ${times === 1 ? 'once' : `${times} times`}`,
  block_loop: ({ times }) => `blocked ${times} times`,
}

/** The short reason. Returns null for a reason that adds nothing: the card is running, is finished, or starts soon. */
export function shortReason({ code, params, until }: Reason, now: number): string | null {
  // The cast is needed, because the compiler cannot check that the parameters belong to the code.
  const text = TEXTS[code] as ((params: Reason['params'], wait: string) => string) | undefined
  return text === undefined ? null : oneLine(text(params, until === null ? '' : ` in ${span(until - now)}`))
}

/** Formats the short reason after the title of a card, such as `waits: agent codr is unknown`. */
export function waitText(reason: Reason, now: number): string | null {
  const text = shortReason(reason, now)
  return text === null || text.startsWith('waits ') || text.startsWith('retries ') ? text : `waits: ${text}`
}
