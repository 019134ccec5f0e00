/** The answers of tools: the state after the call, without empty fields. */
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

/** Every word costs the model, so empty fields are left out. */
export const dense = (fields: Readonly<Record<string, unknown>>): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))

const BODY = 8_000
/** For summaries, comments and results. */
const WORDS = 2_000
const LINE = 400
const COMMENTS = 15
const EVENTS = 15
const RUNS = 5
const ROUNDS = 5
/** CLIs limit the length of a tool's answer. */
const PAGE = 20_000

/** `part`: the argument of `kanban_show` that returns the whole text. */
function cut(text: string | null, most: number, part?: string): string | null {
  if (text === null || text.length <= most) return text
  const rest = `${text.length - most} more characters${part === undefined ? '' : `: kanban_show with part "${part}"`}`
  return `${text.slice(0, most)}… (${rest})`
}

/** A card in a list. */
export const briefCard = (task: ListedTask): object =>
  dense({
    id: task.id,
    ...fieldsFor(task, 'list'),
    priority: task.priority === 0 ? null : task.priority,
    parents: task.parents,
    children: task.children,
    blockReason: cut(task.blockReason, LINE),
  })

/** The fields that the table of card fields shows to agents. */
const fieldsFor = (task: ListedTask, where: 'list' | 'show'): Readonly<Record<string, unknown>> =>
  Object.fromEntries(agentFields(where).map((name) => [name, task[name as keyof ListedTask]]))

/** A card after a command; `recorded` if the call records a verdict, which applies when the run ends. */
export const afterwards = (task: TaskView): object =>
  dense({
    id: task.id,
    status: task.status,
    assignee: task.assignee,
    parents: task.parents,
    blockKind: task.blockKind,
    waitsForApproval: !task.commandsApproved,
    recorded: recordedIn(task),
  })

/** The newest parts of a card; `more` counts what is left out. */
export function wholeCard(task: TaskDetails): object {
  const rounds = roundsIn(task)
  return {
    ...briefCard(task),
    ...dense({
      answers: rounds.slice(0, ROUNDS).map(briefRound),
      body: cut(task.body, BODY, 'body'),
      ...fieldsFor(task, 'show'),
      workspace: dense({ kind: task.workspace.kind, path: task.workspace.path, repo: task.workspace.repo }),
      checks: [...new Set([...task.checks, ...task.agentChecks])],
      waitsForApproval: !task.commandsApproved,
      lastError: cut(task.lastError, LINE),
      result: cut(task.result, WORDS),
      ...historyOf(task),
      more: leftOut({
        answers: task.earlierAnswers + rounds.length - ROUNDS,
        comments: task.earlierComments + task.comments.length - COMMENTS,
        runs: task.runs.length - RUNS,
        events: task.events.length - EVENTS,
      }),
    }),
  }
}

const historyOf = ({ comments, runs, attachments, events }: TaskDetails): Readonly<Record<string, unknown>> => ({
  comments: latest(comments, COMMENTS).map(({ author, body, createdAt }) => ({
    author,
    at: moment(createdAt),
    body: cut(body, WORDS),
  })),
  runs: latest(runs, RUNS).map(briefRun),
  attachments: attachments.map(({ filename, size }) => ({ name: filename, bytes: size })),
  events: latest(events, EVENTS).map(({ kind, actor, createdAt }) => ({ kind, actor, at: moment(createdAt) })),
})

const briefRun = ({ attempt, phase, agent, outcome, summary, error }: TaskDetails['runs'][number]): object =>
  dense({
    attempt,
    phase,
    agent,
    outcome: outcome ?? 'open',
    summary: cut(summary, WORDS),
    error: cut(error, LINE),
  })

/** A plain comment answers by its time; other answers name their command. */
const roundsIn = ({ runs, comments, answers }: TaskDetails): readonly QuestionRound[] =>
  questionRounds({ runs, comments, answers })

const briefRound = ({ question, verb, answers }: QuestionRound, at: number): object =>
  dense({
    question: cut(question?.text ?? null, WORDS),
    askedBy: question?.by,
    verb: question === null ? verb : null,
    answers: answers.map(({ author, body, createdAt }) => ({
      author,
      at: moment(createdAt),
      body: cut(body, at === 0 ? BODY : WORDS, 'answers'),
    })),
  })

/** One page of a text of the card; `next` is the offset of the next page. */
export function pageOfText(task: TaskDetails, part: unknown, offset: unknown): object {
  const text = part === 'body' ? (task.body ?? '') : wholeAnswers(task)
  const from = typeof offset === 'number' ? offset : 0
  const page = cutText(text.slice(from), PAGE)
  const next = from + page.length
  return { id: task.id, part, text: page, length: text.length, ...(next < text.length ? { next } : {}) }
}

const wholeAnswers = (task: TaskDetails): string =>
  [...roundsIn(task).map(wholeRound), ...omitted(task.earlierAnswers, 'earlier answer')].join('\n\n')

const wholeRound = ({ question, answers }: QuestionRound): string =>
  [
    ...(question === null ? [] : [`Question${question.by === null ? '' : ` from ${question.by}`}:\n${question.text}`]),
    ...answers.map(({ author, createdAt, body }) => `Answer from ${author} at ${moment(createdAt)}:\n${body}`),
  ].join('\n\n')

const moment = (at: number): string => new Date(at).toISOString()

function leftOut(counts: Readonly<Record<string, number>>): object | null {
  const above = Object.entries(counts).filter(([, count]) => count > 0)
  return above.length === 0 ? null : Object.fromEntries(above)
}

const latest = <T>(items: readonly T[], most: number): readonly T[] => items.slice(-most)
