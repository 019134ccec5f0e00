/**
 * The tools of the board. Each projects an operation: what it takes is the operation's to say (scripts/manifest.ts puts
 * both together in toolset.ts), and what it does is decided where every other caller's wish is.
 */
import { CARD_FIELD_NAMES, cardField } from '../core/card-fields.ts'
import { BoardError } from '../core/errors.ts'
import { parseWorkspace } from '../core/input/workspace-text.ts'
import type { AgentView } from '../operations/agents/views.ts'
import type { TaskDetails } from '../operations/shared/views.ts'
import type { Attachment } from '../core/attachment.ts'
import type { Comment } from '../core/comment.ts'
import type { ListedTask, TaskView } from '../storage/store.ts'
import { afterwards, briefCard, dense, pageOfText, wholeCard } from './results.ts'
import { defineTool } from './tool.ts'
import type { Arguments, Tool } from './tool.ts'

const EVERYBODY = ['worker', 'reviewer', 'orchestrator', 'assistant'] as const
const WHO_WORKS = ['worker', 'orchestrator', 'assistant'] as const
const WHO_STEERS = ['orchestrator', 'assistant'] as const

/** A page that a model can read; the next one begins behind its last card. */
const PAGE = 50
const LONGEST_PAGE = 200

/** The arguments that stand for fields of a card. An empty text means: as its operation describes it. */
const fieldArguments = (tool: 'create' | 'list'): Readonly<Record<string, string>> =>
  Object.fromEntries(
    CARD_FIELD_NAMES.flatMap((name) => {
      const text = cardField(name).tool?.[tool]
      return text === undefined ? [] : [[name, text]]
    }),
  )

export const TOOLS: readonly Tool[] = [
  defineTool({
    name: 'kanban_show',
    operation: 'show',
    description: 'Read a card as it stands now: text, status, comments, attempts, files.',
    roles: EVERYBODY,
    about: 'any',
    arguments: {
      part: { type: 'string', enum: ['body', 'answers'], description: 'Return only this text, in full, page by page' },
      offset: { type: 'integer', minimum: 0, description: 'Where the page begins: `next` of the previous page' },
    },
    changesNothing: true,
    toInput: ({ task }) => ({ task }),
    toResult: (task: TaskDetails, { part, offset }) =>
      part === undefined ? wholeCard(task) : pageOfText(task, part, offset),
  }),
  defineTool({
    name: 'kanban_list',
    operation: 'list',
    description: 'Find cards of the board. Results come in pages: pass `next` as `after` for more.',
    roles: WHO_STEERS,
    about: 'board',
    arguments: {
      status: '',
      ...fieldArguments('list'),
      parent: 'Only children of this card',
      text: 'Only cards whose title or body says this',
      archived: 'Archived cards too',
      limit: { type: 'integer', minimum: 1, description: `At most so many (${PAGE}; up to ${LONGEST_PAGE})` },
      after: 'The `next` of the page before',
    },
    changesNothing: true,
    // One more than asked for tells whether there are more.
    toInput: (given) => ({ ...given, limit: pageOf(given) + 1 }),
    toResult: (tasks: readonly ListedTask[], given) => {
      const page = tasks.slice(0, pageOf(given))
      return { tasks: page.map(briefCard), ...(tasks.length > page.length ? { next: page.at(-1)?.id } : {}) }
    },
  }),
  defineTool({
    name: 'kanban_complete',
    operation: 'complete',
    description:
      'Say that the card is done. Its checks run first: if they fail you are told why and can go on; if the answer is "checking", end your turn.',
    roles: EVERYBODY,
    about: 'own',
    arguments: {
      summary: 'What you did, in one to three sentences, for whoever comes next',
      result: 'What came out of it, if it is text',
      metadata: 'Facts for programs, as an object',
      artifacts: 'Absolute paths of the files that are the result; they are kept with the card',
      createdCards: 'Ids of cards you made with kanban_create in this run',
    },
    required: ['summary'],
    toResult: afterwards,
  }),
  defineTool({
    name: 'kanban_block',
    operation: 'block',
    description:
      'Stop because you cannot go on without somebody. Say what must be decided or given, then end your turn.',
    roles: EVERYBODY,
    about: 'own',
    arguments: { reason: 'What must happen before it can go on', kind: '' },
    required: ['reason'],
    toResult: afterwards,
  }),
  defineTool({
    name: 'kanban_request_review',
    operation: 'request-review',
    description: 'Hand the card to a reviewer instead of completing it. Its checks run first, as with kanban_complete.',
    roles: WHO_WORKS,
    about: 'own',
    arguments: {
      summary: 'What there is to review, and where',
      metadata: 'Facts for programs, as an object',
      reviewer: 'The agent that reviews it; left out, the board decides',
    },
    required: ['summary'],
    toResult: afterwards,
  }),
  defineTool({
    name: 'kanban_request_changes',
    operation: 'request-changes',
    description: 'In a review: send the card back to whoever worked on it. kanban_complete approves it.',
    roles: ['reviewer', ...WHO_STEERS],
    about: 'own',
    arguments: { reason: 'Everything that has to change' },
    required: ['reason'],
    toResult: afterwards,
  }),
  defineTool({
    name: 'kanban_heartbeat',
    operation: 'heartbeat',
    description: 'Show that you are alive during long work, at least once an hour.',
    roles: EVERYBODY,
    about: 'own',
    arguments: { note: 'How far it has come, in a line' },
    toResult: (task: TaskView) => ({ id: task.id, status: task.status }),
  }),
  defineTool({
    name: 'kanban_comment',
    operation: 'comment',
    description: 'Write a comment on a card of this board, your own or another.',
    roles: EVERYBODY,
    about: 'any',
    arguments: { body: '' },
    required: ['body'],
    toResult: (comment: Comment) => ({ id: comment.taskId, comment: comment.id }),
  }),
  defineTool({
    name: 'kanban_attach',
    operation: 'attach',
    description: 'Keep a file with a card, for whoever works on it next.',
    roles: EVERYBODY,
    about: 'any',
    arguments: {
      path: { type: 'string', description: 'Absolute path of the file' },
      name: 'What it is called on the card; left out, as it is',
    },
    required: ['path'],
    toInput: ({ path, name, ...rest }) => ({ ...rest, path, name: name ?? nameOf(path) }),
    toResult: (file: Attachment) => ({ id: file.taskId, name: file.filename, bytes: file.size }),
  }),
  defineTool({
    name: 'kanban_attachments',
    operation: 'attachments',
    description: 'List the files kept with a card, and where they lie.',
    roles: EVERYBODY,
    about: 'any',
    arguments: {},
    changesNothing: true,
    toResult: (files: readonly (Attachment & { path: string | null })[]) => ({
      attachments: files.map(({ filename, path, size, contentType }) =>
        dense({ name: filename, path, bytes: size, type: contentType }),
      ),
    }),
  }),
  defineTool({
    name: 'kanban_create',
    operation: 'create',
    description:
      'Put a new card on the board for work that is not yours to do now. Name its parents here, not later. Commands you write wait for a person.',
    roles: EVERYBODY,
    about: 'board',
    arguments: {
      ...fieldArguments('create'),
      parents: 'Cards that must be done first',
      workspace: {
        type: 'string',
        description: 'scratch, dir:/absolute/path, worktree or worktree:/path/of/repository; left out, as your card',
      },
      initialStatus: {
        type: 'string',
        enum: ['triage', 'blocked'],
        description: 'triage: only an idea yet; blocked: a person must let it start',
      },
    },
    required: ['title'],
    notYet: ['goal', 'goalMaxTurns', 'goal_max_turns', 'judge'],
    toInput: cardOf,
    toResult: ({ task, created, warning }: { task: TaskView; created: boolean; warning: string | null }) => ({
      created,
      ...afterwards(task),
      ...dense({ warning, next: task.commandsApproved ? null : waitsFor(task) }),
    }),
  }),
  defineTool({
    name: 'kanban_link',
    operation: 'link',
    description: 'Make one card wait for another.',
    roles: EVERYBODY,
    about: 'board',
    arguments: { parent: '', child: '' },
    required: ['parent', 'child'],
    toResult: afterwards,
  }),
  defineTool({
    name: 'kanban_unblock',
    operation: 'unblock',
    description: 'Let a blocked or parked card continue. Answer the question of its worker in `reason`.',
    roles: WHO_STEERS,
    about: 'named',
    arguments: { reason: 'The answer to the worker, shown first in its next briefing' },
    toResult: afterwards,
  }),
  defineTool({
    name: 'kanban_agents',
    operation: 'agents list',
    description: 'List the agents that cards can be assigned to. Never guess a name.',
    roles: WHO_STEERS,
    about: 'board',
    arguments: {},
    changesNothing: true,
    toResult: (agents: readonly AgentView[]) => ({
      agents: agents.map(({ name, description, harness, permissions, isUsable, problems, waiting }) =>
        dense({ name, description, harness, permissions, isUsable, problems, waiting }),
      ),
    }),
  }),
]

const waitsFor = ({ id }: TaskView): string =>
  `It starts when a person has approved it: muster approve ${id} --commands. You need not wait.`

export const toolNamed = (name: string): Tool | undefined => TOOLS.find((tool) => tool.name === name)

function pageOf({ limit }: Arguments): number {
  return typeof limit === 'number' ? Math.min(Math.max(1, limit), LONGEST_PAGE) : PAGE
}

const nameOf = (path: unknown): unknown => (typeof path === 'string' ? path.split('/').at(-1) : path)

function cardOf({ workspace, initialStatus, ...rest }: Arguments): Arguments {
  return {
    ...rest,
    ...(workspace === undefined ? {} : { workspace: placeOf(workspace) }),
    ...(initialStatus === undefined
      ? {}
      : { triage: initialStatus === 'triage', blocked: initialStatus === 'blocked' }),
  }
}

function placeOf(given: unknown): unknown {
  const found = typeof given === 'string' ? parseWorkspace(given) : null
  if (found === null)
    throw new BoardError(
      'invalid_input',
      'workspace must be scratch, dir:/absolute/path, worktree or worktree:/path/of/repository.',
      { details: { field: 'workspace' } },
    )
  return found
}
