/**
 * The page of a card for people. The result comes first, then its files and the next commands. After that come the
 * reasons why the card waits, its text and its history.
 */
import { nextSteps } from '../../core/reasons/next-steps.ts'
import { awaitsPerson, isSatisfied } from '../../core/status.ts'
import type { Explanation } from '../../operations/cards/explain-task.ts'
import type { Results } from '../../operations/cards/locate-results.ts'
import type { TaskDetails } from '../../operations/shared/views.ts'
import type { TournamentView } from '../../operations/tournaments/views.ts'
import { multiLine, oneLine } from '../output/escape.ts'
import { cardFacts } from './card-facts.ts'
import { eventText } from './event-line.ts'
import { fileRows } from './file-rows.ts'
import { goalLines } from './goal-lines.ts'
import { nextStepLines } from './next-step-lines.ts'
import { tournamentLines } from './tournament-lines.ts'
import { UNLIMITED, rows, section, wrapped } from './page-layout.ts'
import { reasonSentence, wayOut } from './reason-text.ts'
import { runLines } from './run-table.ts'
import { ICONS, assigneeOf, localTime, span, statusText } from './format-values.ts'
import { entryLines, memberLines } from './swarm.ts'
import { cutTo, widthOf } from './width.ts'

export interface CardContext {
  readonly now: number
  /** The reasons why the card waits. Null means that they could not be read. */
  readonly reasons: Explanation['reasons'] | null
  /** The places of the card's files. Null inside a run, where they are not available. */
  readonly results: Results | null
  /** The entries of the card's tournament. */
  readonly tournament?: TournamentView | null
  /** The URL of the card in the dashboard. Null means that no server runs. */
  readonly link?: string | null
  /** The width of the terminal. */
  readonly width?: number
}

const RUNS_SHOWN = 5
const EVENTS_SHOWN = 8

export function taskPage(
  task: TaskDetails,
  { now, reasons, results, tournament = null, link = null, width = UNLIMITED }: CardContext,
): string {
  const steps = nextSteps({ ...pick(task), task, reasons, isWorkHere: results?.isWorkHere ?? false })
  const sections = [
    [heading(task, now, width), ...(link === null ? [] : [`  ${link}`])].join('\n'),
    outcome(task, reasons, width),
    section('Tournament', tournament === null ? [] : tournamentLines(tournament, width)),
    section('Files', rows(fileRows(task, results), width)),
    section('Next', nextStepLines(task, steps, width)),
    section('Why it waits', isSatisfied(task.status) ? [] : reasonBlock(reasons ?? [], now, width)),
    section('Description', task.body === null || task.body.trim() === '' ? [] : wrapped(task.body, 2, width)),
    section('Goal', goalLines(task, width)),
    section('Swarm', swarmLines(task, width)),
    section('Runs', lastRuns(task, now, width)),
    section('Dependencies', relativeLines(task, results, width)),
    section('Details', rows(cardFacts(task), width)),
    section('Comments', commentLines(task, width)),
    section('Events', eventLines(task, width)),
  ]
  return sections.filter((part) => part !== '').join('\n\n')
}

const pick = ({ runs, hasUnlandedWork }: TaskDetails) => ({ runs, hasUnlandedWork })

function heading(task: TaskDetails, now: number, width: number): string {
  const lead = `${ICONS[task.status]} ${task.id}  `
  const [first = '', ...more] = wrapped(oneLine(task.title), 0, width - widthOf(lead))
  const state = [statusText(task), ...since(task, now)].join(' ')
  return [
    `${lead}${first}`,
    ...more.map((line) => `${' '.repeat(widthOf(lead))}${line}`),
    ...wrapped(`${state} · ${assigneeOf(task)} · board ${oneLine(task.board)}`, 2, width),
  ].join('\n')
}

function since({ status, completedAt, runs, scheduledAt }: TaskDetails, now: number): readonly string[] {
  const open = runs.findLast(({ endedAt }) => endedAt === null)
  if (status === 'done' && completedAt !== null) return [`${span(now - completedAt)} ago`]
  if (status === 'running' && open !== undefined)
    return [
      `for ${span(now - open.startedAt)} (attempt ${open.attempt}${open.phase === 'work' ? '' : `, ${open.phase}`})`,
    ]
  return status === 'scheduled' && scheduledAt !== null ? [`for ${localTime(scheduledAt)}`] : []
}

/**
 * Formats a question or a problem, and then the result. If the card has no result, the summary of the latest run with a
 * summary is used.
 */
function outcome(task: TaskDetails, reasons: Explanation['reasons'] | null, width: number): string {
  const { result, runs } = task
  const obstacle = obstacleOf(task, reasons)
  const summary = (result ?? runs.findLast(hasResult)?.summary)?.trim()
  const isRepeated = summary === undefined || summary === '' || obstacle?.text.includes(summary) === true
  return [
    ...(obstacle === null ? [] : [section(obstacle.title, wrapped(obstacle.text, 2, width))]),
    ...(isRepeated ? [] : [section('Result', wrapped(summary, 2, width))]),
  ].join('\n\n')
}

/** Whether the summary of a run is a result. The summary of a blocked run is a question. */
const hasResult = ({ outcome: ending, summary }: TaskDetails['runs'][number]): boolean =>
  ending !== 'blocked' && summary !== null && summary.trim() !== ''

/** The reason why the card stopped. If the agent asked a question, this is the agent's own text. */
function obstacleOf(
  { status, blockKind, blockReason }: TaskDetails,
  reasons: Explanation['reasons'] | null,
): { readonly title: string; readonly text: string } | null {
  if (!awaitsPerson(status)) return null
  if (blockKind === 'needs_input' && blockReason !== null) return { title: 'Question', text: blockReason }
  const found = reasons?.find(({ gate }) => gate === 'blocked' || gate === 'triage')
  const text = found === undefined ? blockReason : reasonSentence(found)
  return text === null || blockReason === null ? null : { title: 'Problem', text }
}

const reasonBlock = (reasons: Explanation['reasons'], now: number, width: number): readonly string[] =>
  reasons.flatMap((reason) => [
    ...hanging('  · ', reasonSentence(reason), width),
    ...hanging('    → ', wayOut(reason, now), width),
  ])

function hanging(lead: string, text: string, width: number): readonly string[] {
  const [first = '', ...more] = wrapped(text, 0, width - lead.length)
  return [`${lead}${first}`, ...more.map((line) => `${' '.repeat(lead.length)}${line}`)]
}

/** The cards of the swarm. The root shows the blackboard too. */
const swarmLines = (task: TaskDetails, width: number): readonly string[] =>
  task.swarmRole === null
    ? []
    : [
        ...memberLines(task.swarmMembers),
        ...(task.swarmRole === 'root' && task.blackboard.length > 0 ? ['', 'Blackboard:', ...entryLines(task)] : []),
      ].map((line) => cutTo(`  ${line}`.trimEnd(), width))

/** Formats the last runs, one line each. */
function lastRuns({ id, runs }: TaskDetails, now: number, width: number): readonly string[] {
  const older = runs.length - RUNS_SHOWN
  return [
    ...(older > 0 ? [`  ${older} earlier. To list them: muster runs ${id}`] : []),
    ...runLines(runs.slice(-RUNS_SHOWN), now).map((line) => cutTo(`  ${line}`, width)),
  ]
}

function relativeLines(task: TaskDetails, results: Results | null, width: number): readonly string[] {
  const known = new Map([...(results?.parents ?? []), ...(results?.children ?? [])].map((card) => [card.id, card]))
  const lines = (ids: TaskDetails['parents'], label: string): readonly string[] => {
    const named = ids.flatMap((id) => known.get(id) ?? [])
    const shown = results === null ? ids.map((id) => `  ${label}  ${id}`) : []
    const more = results === null ? 0 : ids.length - named.length
    return [
      ...shown,
      ...named.map(({ id, title, status }) =>
        cutTo(`  ${label}  ${ICONS[status]} ${id}  ${status.padEnd(9)}  ${oneLine(title)}`, width),
      ),
      ...(more > 0 ? [`  ${label}  and ${more} more`] : []),
    ]
  }
  return [...lines(task.parents, 'after '), ...lines(task.children, 'before')]
}

/** Formats one page of comments, and the command for the page before. */
function commentLines({ id, comments, earlierComments: earlier }: TaskDetails, width: number): readonly string[] {
  const shown = comments.flatMap(({ createdAt, author, body, answerTo }) => {
    const lead = `${localTime(createdAt)}  ${oneLine(author)}${answerTo === null ? '' : ` (${answerTo.verb})`}: `
    const [first = '', ...more] = multiLine(body.trim()).split('\n')
    return [...hangingBy(4, `  ${lead}${first}`, width), ...more.flatMap((line) => wrapped(line, 4, width))]
  })
  const [oldest] = comments
  if (oldest === undefined || earlier === 0) return shown
  const older = `${earlier} earlier ${earlier === 1 ? 'comment' : 'comments'}`
  return [...shown, `  ${older}. To see them: muster show ${id} --comments-before ${oldest.id}`]
}

/** Wraps a line. Every line after the first line is indented. */
function hangingBy(indent: number, line: string, width: number): readonly string[] {
  const [first = '', ...more] = wrapped(line, 0, width - indent)
  return [first, ...more.map((part) => `${' '.repeat(indent)}${part.trimStart()}`)]
}

/** Formats the last few events. `muster tail` prints all events. */
const eventLines = ({ events }: TaskDetails, width: number): readonly string[] =>
  events
    .slice(-EVENTS_SHOWN)
    .map((event) =>
      cutTo(
        `  ${localTime(event.createdAt)}  ${event.kind.padEnd(18)}  ${oneLine(event.actor)}  ${eventText(event)}`.trimEnd(),
        width,
      ),
    )
