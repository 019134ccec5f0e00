/**
 * The sentences for each reason: why the card waits, and how to clear the reason. The compiler reports a code without a
 * sentence.
 */
import type { Reason, ReasonCode, ReasonParams } from '../../core/reasons/reason.ts'
import { AGENT_FAULT_TEXTS } from '../../agents/agent-fault-text.ts'
import { cliNamed } from '../../harnesses/detect/clis.ts'
import { machineName } from '../../core/gates/workspace-gates.ts'
import { missingText } from '../../agents/skills/missing-skills.ts'
import { oneLine } from '../output/escape.ts'
import { remedyLine } from './remedy-line.ts'
import { localTime, span } from './format-values.ts'
import { shellWord } from '../../util/shell-word.ts'

type Texts = { readonly [C in ReasonCode]: (params: ReasonParams[C]) => string }

const times = (count: number): string => (count === 1 ? 'once' : `${count} times`)
const attempts = (count: number): string => `${count} failed attempt${count === 1 ? '' : 's'}`
const by = (name: string | null): string => (name === null ? '' : ` by ${name}`)
const reasonOrStop = (reason: string | null): string => (reason === null ? '.' : `: ${reason}`)
const lastError = (error: string | null): string => (error === null ? '' : ` Last error: ${error}`)

const turnText = (goal: NonNullable<ReasonParams['running']['run']>['goal']): string =>
  goal === null
    ? ''
    : `, turn ${goal.turn} of ${goal.maxTurns}${goal.missing.length === 0 ? '' : `. Missing: ${goal.missing.join('; ')}`}`

const TEXTS: Texts = {
  ...AGENT_FAULT_TEXTS,
  deleted: () => 'The card is in the trash.',
  finished: ({ status }) => `The card is ${status}.`,
  running: ({ run }) =>
    run === null
      ? 'The card is running.'
      : `Running since ${localTime(run.startedAt)}: attempt ${run.attempt}${run.phase === 'work' ? '' : ` (${run.phase})`} by ${run.by}${run.insteadOf === null ? '' : ` (fallback of ${run.insteadOf})`}, run ${run.id}${turnText(run.goal)}.`,
  triage: () => 'The card is in triage: its task is not clear yet.',
  plan_failed: ({ failure, attempts: count }) => `Tried ${times(count)} to plan the card: ${failure}`,
  block_loop: ({ kind, times: count, question, by: name }) =>
    kind === 'breaker' || kind === 'attempts'
      ? `Stopped ${times(count)} after repeated failures, so the card is in triage. Last time${reasonOrStop(question)}`
      : `Blocked ${times(count)} for the same reason (${kind}), so the card is in triage. Last time${by(name)}${reasonOrStop(question)}`,
  blocked: ({ kind, reason, by: name }) => `Blocked (${kind})${by(name)}${reasonOrStop(reason)}`,
  breaker_open: ({ failures, error, reason }) =>
    failures === 0
      ? `Stopped after repeated failures${reasonOrStop(reason)}`
      : `Stopped after ${attempts(failures)}.${lastError(error)}`,
  attempts_spent: ({ error, reason }) =>
    `Stopped${reasonOrStop(reason)}${reason === null ? '' : '.'}${lastError(error)}`,
  rejected_too_often: ({ times: count, reason }) => `Requested changes ${times(count)} in a row${reasonOrStop(reason)}`,
  board_archived: ({ board }) => `Board ${board} is archived.`,
  parents_open: ({ count, parents }) => {
    const named = parents.map(({ id, title, status }) =>
      title === null || status === null ? id : `${id} "${title}" (${status})`,
    )
    if (named.length === 0) return `Waits for ${count === 1 ? 'a parent' : `${count} parents`}.`
    return `Waits for ${named.join(', ')}${count > named.length ? ` and ${count - named.length} more` : ''}.`
  },
  not_approved: ({ verifier }) =>
    verifier === null
      ? 'The verifier of the swarm was removed and has not approved the work.'
      : `Waits for the approval of ${verifier.id}, which is ${verifier.deleted ? 'in the trash' : verifier.status}.`,
  entries_open: ({ open, total, entries }) => {
    const named = entries.map(({ id, status }) => (status === null ? id : `${id} (${status})`))
    return `The tournament waits for ${open} of ${total} entries${named.length === 0 ? '' : `: ${named.join(', ')}`}.`
  },
  pick_needed: ({ passed, total, failure }) =>
    `The tournament waits for a pick${passed === null ? '' : ` from ${passed} of ${total} entries`}.${failure === null ? '' : ` The judge did not pick: ${failure}`}`,
  judge_picks: ({ failure }) =>
    `The tournament waits for a pick by the judge.${failure === null ? '' : ` Its last try failed: ${failure}`}`,
  no_entry_left: ({ reason }) => `No entry of the tournament can win${reasonOrStop(reason)}`,
  held: ({ reason, by: name }) =>
    name === null ? 'The card is on hold.' : `${name} put the card on hold${reasonOrStop(reason)}`,
  scheduled: ({ at }) => `The card is scheduled for ${localTime(at)}.`,
  parked: () => 'The card is scheduled without a time.',
  commands_unapproved: ({ beyond }) => UNAPPROVED[beyond ?? 'commands'],
  unassigned: () => 'The card is unassigned.',
  review_assigned: ({ reviewer }) => `In review by agent ${reviewer}.`,
  review_by_person: ({ boardReviewer }) =>
    boardReviewer === null
      ? 'The card waits for a review by a person.'
      : `The card waits for a review by a person: ${boardReviewer} reviews this board, but not its own work.`,
  reviewer_failed: ({ reviewer, failures }) =>
    `The card waits for a review by a person: the reviewer ${reviewer} failed ${times(failures)}.`,
  body_missing: ({ agent }) => `The card has no body, and agent ${agent} runs the body as a script.`,
  body_too_long: ({ agent }) =>
    `The body is too long for an argument: agents/${agent}.md should use {bodyFile} instead of {body}.`,
  goal_unsupported: ({ agent }) =>
    `Agent ${agent} ends its card when its program exits, so it cannot work towards a goal in turns.`,
  skills_missing: missingText,
  model_without_provider: ({ program, model }) =>
    `${program ?? 'The CLI'} needs a model as provider/model, and ${model} names no provider.`,
  effort_unknown: ({ program, known, effort }) =>
    `${program ?? 'The CLI'} accepts the efforts ${known.join(', ')}, not ${effort}.`,
  retry_wait: ({ failures, error }) =>
    `${failures === 0 ? 'The last run failed.' : `Failed ${times(failures)}.`}${lastError(error)}`,
  rate_limit_wait: () => 'Rate limited.',
  recent_success: () => 'The card succeeded recently, so its retry waits.',
  pull_request_linked: () => 'A comment links a pull request, so the retry waits.',
  workspace_sweeping: () => 'The workspace is being removed.',
  directory_busy: ({ card }) => `${card} works in the same directory.`,
  files_elsewhere: (place) => `The files are on machine ${machineName(place)}.`,
  branch_in_use: ({ branch, card, status }) => `Branch ${branch} is in use by ${card} (${status}).`,
  branch_sweeping: ({ branch, card }) => `The worktree of ${card} on branch ${branch} is being removed.`,
  branch_elsewhere: ({ branch, card, ...place }) =>
    `Branch ${branch} is in the worktree of ${card} on machine ${machineName(place)}.`,
  branch_on_board: ({ branch, card, board }) => `Branch ${branch} is in the worktree of ${card} on board ${board}.`,
  branch_checked_out: ({ branch, folder }) => `Branch ${branch} is checked out in ${folder}.`,
  worktree_switched: ({ branch, folder }) => `The worktree ${folder} is no longer on branch ${branch}.`,
  branch_clash: ({ branch, other }) => `Branch ${branch} cannot be created while branch ${other} exists.`,
  outside_hours: ({ of, name, hours, at }) =>
    at === null
      ? `Cannot start: ${of} ${name} is active ${hours}, which never overlaps the other active hours of this card.`
      : `Starts at ${clockTime(at, hours)}: ${of} ${name} is active ${hours}.`,
  paused: ({ kind, name, reason }) => `The ${kind} ${name} is paused${reasonOrStop(reason)}`,
  account_paused: ({ account, cause, reason }) =>
    `Account ${account} is paused${cause === null || cause === 'person' ? '' : ` (${cause})`}${reasonOrStop(reason)}`,
  fallback_used: ({ agent, fallback, account, cause }) =>
    `Agent ${fallback} takes the cards of agent ${agent}, because account ${account} is paused (${cause}).`,
  account_probed: ({ account, run }) => `Run ${run} checks whether account ${account} works again.`,
  cap_reached: ({ cap, used, limit }) => `The limit of the ${cap} is reached: ${used} of ${limit} runs.`,
  supervisor_lost: ({ run }) => `Run ${run} has lost its supervisor, so nothing watches its agent.`,
  no_dispatcher: () => "Muster isn't running.",
  dispatcher_hung: ({ pid, since, suspended }) =>
    suspended
      ? `Muster (pid ${pid}) is suspended, so no cards start.`
      : `Muster (pid ${pid}) has not responded since ${localTime(since)}.`,
  disk_full: ({ folder }) => `The disk that holds ${folder} is full.`,
  store_damaged: ({ path, fault }) => `The store ${path} is damaged (${fault}), so no card can start or change.`,
  next_pass: () => 'The card can start.',
}

/**
 * Formats the time at which the hours begin. The day is shown only if the hours differ by day. Otherwise the hours
 * begin within a day, so the time is enough.
 */
function clockTime(at: number, hours: string): string {
  const [, time = ''] = localTime(at).split(' ')
  return /[a-z]/i.test(hours) ? `${DAY_NAMES[new Date(at).getDay()]} ${time}` : time
}

const DAY_NAMES = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const

const UNAPPROVED = {
  commands: 'An agent chose the commands or the folder of this card. They need your approval.',
  script: 'This script was written by an agent and needs your approval.',
  wider: 'An agent wrote this card for an agent with more permissions, or for another folder. It needs your approval.',
} as const

/**
 * The event to wait for, or the action that a person must take outside Muster. If this does not clear the reason, a
 * command must follow.
 */
const REASON_ENDINGS: { readonly [C in ReasonCode]?: (params: ReasonParams[C], until: number | null) => string } = {
  running: ({ run, ending }) => {
    if (ending !== null) return `The run is ending: ${ending.by} asked for ${ending.verb}`
    return run?.kind === 'manual' ? `${run.by} is working on it` : 'The run ends when its agent finishes'
  },
  finished: () => 'The workspace is being removed; try again in a moment',
  deleted: () => 'The workspace of a parent is being removed; try again in a moment',
  triage: () => 'Wait until the parents of the card finish',
  plan_failed: () => 'Wait until the parents of the card finish',
  block_loop: () => 'Wait until the parents of the card finish',
  parents_open: () => 'The card starts when its parents finish',
  not_approved: () => 'A person completes the card by hand',
  entries_open: () => 'A pick follows when they finish',
  judge_picks: (_, until) => (until === null ? 'The judge is asked while muster up runs' : 'Asked again automatically'),
  no_entry_left: () => 'Reopen an entry, archive the tournament',
  scheduled: () => 'Starts automatically',
  review_assigned: () => 'Starts automatically',
  agent_unknown: ({ agent }) => {
    const cli = cliNamed(agent)
    return cli === null ? `Add agents/${agent}.md` : `Install ${cli.title} (${cli.install}), then run muster init`
  },
  agent_file_broken: ({ file }) => `Fix ${file}`,
  agents_unreadable: () => 'Make that folder readable',
  program_missing: ({ agent, program }) => {
    const cli = cliNamed(program)
    return `Install it${cli === null ? '' : ` (${cli.install})`}, or fix agents/${agent}.md`
  },
  body_too_long: ({ agent }) => `Fix agents/${agent}.md`,
  skills_missing: ({ unknown, file, from, agent }) =>
    `${unknown.length === 0 ? 'Fix' : 'Add'} ${file}${from === 'agent' ? `, or fix agents/${agent}.md` : ''}`,
  model_without_provider: ({ from, agent }) => (from === 'agent' ? `Fix agents/${agent}.md` : ''),
  effort_unknown: ({ from, agent }) => (from === 'agent' ? `Fix agents/${agent}.md` : ''),
  retry_wait: () => 'Retrying automatically',
  rate_limit_wait: () => 'Retrying automatically',
  recent_success: () => 'Retrying automatically',
  pull_request_linked: () => 'Retrying automatically',
  workspace_sweeping: () => 'The card starts after the removal',
  directory_busy: ({ card }) => `The card starts when the run of ${card} ends`,
  files_elsewhere: ({ host }) => `Starts when muster up runs on ${host ?? 'that machine'}`,
  branch_in_use: ({ card }) => `Starts when ${card} finishes`,
  branch_sweeping: () => 'The card starts after the removal',
  branch_elsewhere: ({ host }) => `Starts when muster up runs on ${host ?? 'that machine'}`,
  branch_on_board: () => 'The card starts when the worktree is removed',
  branch_checked_out: ({ folder }) => `Switch ${folder} to another branch (git switch)`,
  worktree_switched: ({ branch, folder }) => `Run: git -C ${shellWord(folder)} switch ${shellWord(branch)}`,
  outside_hours: ({ of, name, at }) => {
    const edit = of === 'agent' ? `Edit agents/${name}.md` : ''
    return at === null ? edit : `${edit === '' ? '' : `${edit}, or wait. `}Starts automatically`
  },
  paused: (_, until) => (until === null ? '' : 'Ends automatically'),
  account_paused: ({ account, cause }, until) =>
    until !== null ? 'Resumes automatically' : cause === 'auth' ? logInText(account) : '',
  fallback_used: ({ agent, account, cause }, until) =>
    until !== null ? `Agent ${agent} continues automatically` : cause === 'auth' ? logInText(account) : '',
  account_probed: () => 'The account resumes when the run gets an answer',
  cap_reached: () => 'The card starts when another run ends',
  supervisor_lost: () => 'Muster ends the run and starts the card again',
  dispatcher_hung: ({ pid, suspended }) =>
    suspended
      ? `Continue Muster with fg in its terminal, or run: kill -CONT ${pid}`
      : `If Muster does not recover, stop it with kill -9 ${pid}`,
  disk_full: () => 'Free some space',
  store_damaged: () => 'Restore a backup. To list them: muster backup list',
  next_pass: () => 'The card starts when Muster next looks for cards to run',
}

/** Advice to log in. An account has the name of its CLI, unless an agent file gives the account another name. */
const logInText = (account: string): string => `Log in with ${cliNamed(account)?.logIn ?? 'its CLI'}`

/** The words that connect an action with the command that follows it. */
function joiner({ code, params, until }: Reason): string {
  switch (code) {
    case 'running':
      return params.run?.kind === 'manual' ? '. To end it: ' : '. To cancel: '
    case 'parents_open':
    case 'scheduled':
    case 'paused':
      return '. To start now: '
    case 'outside_hours':
      return '. To change the hours: '
    case 'entries_open':
    case 'judge_picks':
      return '. To pick now: '
    case 'retry_wait':
    case 'recent_success':
    case 'pull_request_linked':
      return '. To retry now: '
    case 'review_assigned':
      return '. To review it yourself: '
    case 'dispatcher_hung':
      return ', then run: '
    case 'fallback_used':
      return until === null ? ', then run: ' : '. To use it now: '
    case 'account_paused':
      return until === null ? ', then run: ' : '. To start now: '
    default:
      return ', or '
  }
}

/**
 * The sentence that explains why the card waits. The casts are needed, because the compiler cannot check that the
 * parameters belong to the code.
 */
export const reasonSentence = ({ code, params }: Pick<Reason, 'code' | 'params'>): string =>
  oneLine((TEXTS[code] as (params: Reason['params']) => string)(params))

const reasonEnding = ({ code, params, remedies, until }: Reason): string => {
  // If a command helps, the text does not mention the event to wait for.
  if (remedies.length > 0 && WAITS.has(code)) return ''
  return (
    (REASON_ENDINGS[code] as ((...about: [Reason['params'], number | null]) => string) | undefined)?.(params, until) ??
    ''
  )
}

const WAITS: ReadonlySet<ReasonCode> = new Set([
  'not_approved',
  'finished',
  'deleted',
  'triage',
  'plan_failed',
  'block_loop',
])

/** Explains how to clear a reason: the event to wait for, the action to take, and the commands. */
export function wayOut(reason: Reason, now: number | null = null): string {
  const when = now === null || reason.until === null ? '' : ` ${inTime(reason.until, now)}`
  const ending = oneLine(reasonEnding(reason))
  // A new workspace alone does not unblock the card, so the person needs both commands.
  const separator = reason.code === 'breaker_open' ? ', then ' : ', or '
  const commands = reason.remedies.map((remedy) => oneLine(remedyLine(remedy))).join(separator)
  if (ending === '' || commands === '') return `${ending}${commands}${when}`
  return `${ending}${when}${joiner(reason)}${commands}`
}

const inTime = (until: number, now: number): string => `in ${span(until - now)} (${localTime(until)})`
