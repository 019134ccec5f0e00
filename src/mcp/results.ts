/** The answers of tools. An answer contains the state after the call, without empty fields. */
import { goalProgress, goalText } from '../core/goal.ts'
import { isRunning } from '../core/status.ts'
import { agentFields } from '../core/card-fields.ts'
import { omitted } from '../core/briefing/quoted.ts'
import { questionRounds } from '../core/briefing/rounds.ts'
import type { QuestionRound } from '../core/briefing/rounds.ts'
import { cut as cutText } from '../core/text.ts'
import type { TaskDetails } from '../operations/shared/views.ts'
import type { ListedTask, TaskView } from '../storage/store.ts'
import { recordedIn } from '../runs/socket/protocol.ts'

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === '' ||
  value === false ||
  (Array.isArray(value) && value.length === 0)

/** Removes empty fields, because the model pays for every token. */
export const withoutEmpty = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))

const BODY_MAX = 8_000
/** The maximum length of summaries, comments and results. */
const TEXT_MAX = 2_000
const RESULT_LINE_MAX = 400
const MAX_COMMENTS = 15
const MAX_EVENTS = 15
const MAX_RUNS = 5
const MAX_ROUNDS = 5
/** The maximum length of a page of text, because agent CLIs limit the length of a tool's answer. */
const PAGE_MAX = 20_000

/** Cuts a text. `part` is the argument of `kanban_show` that returns the whole text. */
function cutWithNote(text: string | null, most: number, part?: string): string | null {
  if (text === null || text.length <= most) return text
  const rest = `${text.length - most} more characters${part === undefined ? '' : `: kanban_show with part "${part}"`}`
  return `${text.slice(0, most)}… (${rest})`
}

/** A card in a list. */
export const cardSummary = (task: ListedTask): object =>
  withoutEmpty({
    id: task.id,
    ...fieldsFor(task, 'list'),
    priority: task.priority === 0 ? null : task.priority,
    parents: task.parents,
    children: task.children,
    blockReason: cutWithNote(task.blockReason, RESULT_LINE_MAX),
  })

/** The fields that agents see, according to the table of card fields. */
const fieldsFor = (task: ListedTask, where: 'list' | 'show'): Readonly<Record<string, unknown>> =>
  Object.fromEntries(agentFields(where).map((name) => [name, task[name as keyof ListedTask]]))

/** A card after a command. `recorded` names a verdict that is applied when the run ends. */
export const changedCard = (task: TaskView): object =>
  withoutEmpty({
    id: task.id,
    status: task.status,
    assignee: task.assignee,
    parents: task.parents,
    blockKind: task.blockKind,
    waitsForApproval: !task.commandsApproved,
    recorded: recordedIn(task),
  })

/** A card with its newest comments, runs and events. `more` has the numbers of older ones. */
export function cardDetails(task: TaskDetails): object {
  const rounds = roundsIn(task)
  return {
    ...cardSummary(task),
    ...withoutEmpty({
      answers: rounds.slice(0, MAX_ROUNDS).map(roundSummary),
      body: cutWithNote(task.body, BODY_MAX, 'body'),
      ...fieldsFor(task, 'show'),
      workspace: withoutEmpty({ kind: task.workspace.kind, path: task.workspace.path, repo: task.workspace.repo }),
      checks: [...new Set([...task.checks, ...task.agentChecks])],
      goal: goalIn(task),
      swarmMembers: task.swarmMembers.map(({ id, role, status, assignee }) =>
        withoutEmpty({ id, role, status, assignee }),
      ),
      waitsForApproval: !task.commandsApproved,
      lastError: cutWithNote(task.lastError, RESULT_LINE_MAX),
      result: cutWithNote(task.result, TEXT_MAX),
      ...historyOf(task),
      more: leftOut({
        answers: task.earlierAnswers + rounds.length - MAX_ROUNDS,
        comments: task.earlierComments + task.comments.length - MAX_COMMENTS,
        runs: task.runs.length - MAX_RUNS,
        events: task.events.length - MAX_EVENTS,
      }),
    }),
  }
}

/** The goal in plain words, so that an agent knows how far the work is. */
function goalIn(task: TaskDetails): object | null {
  const progress = goalProgress(task, task.runs)
  if (progress === null) return null
  const { judge, last } = progress
  return withoutEmpty({
    progress: goalText({ ...progress, last: null }, isRunning(task.status)),
    judge,
    lastAnswer: last?.answer,
    reason: last === null || last.missing.length > 0 ? null : last.reason,
    missing: last?.missing,
  })
}

const historyOf = ({ comments, runs, attachments, events }: TaskDetails): Readonly<Record<string, unknown>> => ({
  comments: latest(comments, MAX_COMMENTS).map(({ author, body, createdAt }) => ({
    author,
    at: isoTime(createdAt),
    body: cutWithNote(body, TEXT_MAX),
  })),
  runs: latest(runs, MAX_RUNS).map(runSummary),
  attachments: attachments.map(({ filename, size }) => ({ name: filename, bytes: size })),
  events: latest(events, MAX_EVENTS).map(({ kind, actor, createdAt }) => ({ kind, actor, at: isoTime(createdAt) })),
})

const runSummary = ({ attempt, phase, agent, outcome, summary, error }: TaskDetails['runs'][number]): object =>
  withoutEmpty({
    attempt,
    phase,
    agent,
    outcome: outcome ?? 'open',
    summary: cutWithNote(summary, TEXT_MAX),
    error: cutWithNote(error, RESULT_LINE_MAX),
  })

const roundsIn = ({ runs, comments, answers }: TaskDetails): readonly QuestionRound[] =>
  questionRounds({ runs, comments, answers })

const roundSummary = ({ question, verb, answers }: QuestionRound, at: number): object =>
  withoutEmpty({
    question: cutWithNote(question?.text ?? null, TEXT_MAX),
    askedBy: question?.by,
    verb: question === null ? verb : null,
    answers: answers.map(({ author, body, createdAt }) => ({
      author,
      at: isoTime(createdAt),
      body: cutWithNote(body, at === 0 ? BODY_MAX : TEXT_MAX, 'answers'),
    })),
  })

/** One page of a text of the card. `next` is the offset of the next page. */
export function pageOfText(task: TaskDetails, part: unknown, offset: unknown): object {
  const text = part === 'body' ? (task.body ?? '') : wholeAnswers(task)
  const from = typeof offset === 'number' ? offset : 0
  const page = cutText(text.slice(from), PAGE_MAX)
  const next = from + page.length
  return { id: task.id, part, text: page, length: text.length, ...(next < text.length ? { next } : {}) }
}

const wholeAnswers = (task: TaskDetails): string =>
  [...roundsIn(task).map(wholeRound), ...omitted(task.earlierAnswers, 'earlier answer')].join('\n\n')

const wholeRound = ({ question, answers }: QuestionRound): string =>
  [
    ...(question === null ? [] : [`Question${question.by === null ? '' : ` from ${question.by}`}:\n${question.text}`]),
    ...answers.map(({ author, createdAt, body }) => `Answer from ${author} at ${isoTime(createdAt)}:\n${body}`),
  ].join('\n\n')

const isoTime = (at: number): string => new Date(at).toISOString()

function leftOut(counts: Readonly<Record<string, number>>): object | null {
  const above = Object.entries(counts).filter(([, count]) => count > 0)
  return above.length === 0 ? null : Object.fromEntries(above)
}

const latest = <T>(items: readonly T[], most: number): readonly T[] => items.slice(-most)
