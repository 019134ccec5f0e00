/**
 * The tools of the board. Each exposes one operation: scripts/manifest.ts joins these texts with the operation's schema
 * in toolset.ts. Keep descriptions short, because a model reads all of them at every turn.
 */
import { CARD_FIELD_NAMES, cardField } from '../core/card-fields.ts'
import { BoardError } from '../core/errors.ts'
import { INITIAL_STATUSES, initialStatusInput } from '../core/vocabulary.ts'
import { parseWorkspace } from '../core/input/workspace-text.ts'
import type { AgentView } from '../operations/agents/views.ts'
import type { TaskDetails } from '../operations/shared/views.ts'
import type { Attachment } from '../core/attachment.ts'
import type { Comment } from '../core/comment.ts'
import type { ListedTask, TaskView } from '../storage/store.ts'
import { changedCard, cardSummary, withoutEmpty, pageOfText, cardDetails } from './results.ts'
import { defineTool, ROLES } from './tool.ts'
import type { Arguments, Tool } from './tool.ts'

const WORKER_ROLES = ['worker', 'orchestrator', 'assistant'] as const
const BOARD_ROLES = ['orchestrator', 'assistant'] as const

const PAGE = 50
const MAX_PAGE = 200

/** The arguments for fields of a card. If a text is empty, the description of the operation's schema is used. */
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
    description: 'Read a card: text, status, comments, attempts, files.',
    roles: ROLES,
    about: 'any',
    arguments: {
      part: { type: 'string', enum: ['body', 'answers'], description: 'Return only this text, in pages' },
      offset: { type: 'integer', minimum: 0, description: '`next` of the previous page' },
    },
    changesNothing: true,
    toInput: ({ task }) => ({ task }),
    toResult: (task: TaskDetails, { part, offset }) =>
      part === undefined ? cardDetails(task) : pageOfText(task, part, offset),
  }),
  defineTool({
    name: 'kanban_list',
    operation: 'list',
    description: 'Find cards. For the next page pass `next` as `after`.',
    roles: BOARD_ROLES,
    about: 'board',
    arguments: {
      status: '',
      ...fieldArguments('list'),
      parent: 'Children of this card',
      text: 'Text in title, body, result or comments',
      archived: 'Include archived cards',
      limit: { type: 'integer', minimum: 1, description: `Default ${PAGE}, at most ${MAX_PAGE}` },
      after: '`next` of the previous page',
    },
    changesNothing: true,
    // One more card shows whether there is another page.
    toInput: (given) => ({ ...given, limit: pageSize(given) + 1 }),
    toResult: (tasks: readonly ListedTask[], given) => {
      const page = tasks.slice(0, pageSize(given))
      return { tasks: page.map(cardSummary), ...(tasks.length > page.length ? { next: page.at(-1)?.id } : {}) }
    },
  }),
  defineTool({
    name: 'kanban_complete',
    operation: 'complete',
    description:
      'Complete the card. Its checks run first. If they fail, fix the problem and call again. If the answer is "checking", end your turn.',
    roles: ROLES,
    about: 'own',
    arguments: {
      summary: 'What you did, in one to three sentences',
      result: 'The result, if it is text',
      metadata: 'Data for programs',
      artifacts: 'Absolute paths of files to keep with the card',
      createdCards: 'Ids of cards you created in this run',
    },
    required: ['summary'],
    toResult: changedCard,
  }),
  defineTool({
    name: 'kanban_block',
    operation: 'block',
    description: 'Stop because you need a person. Name the decision or input you need, then end your turn.',
    roles: ROLES,
    about: 'own',
    arguments: { reason: 'What you need to continue', kind: '' },
    required: ['reason'],
    toResult: changedCard,
  }),
  defineTool({
    name: 'kanban_request_review',
    operation: 'request-review',
    description: 'Send the card to a reviewer instead of completing it. Its checks run first.',
    roles: WORKER_ROLES,
    about: 'own',
    arguments: {
      summary: 'What to review, and where',
      metadata: 'Data for programs',
      reviewer: 'Agent that reviews it; default: the board’s',
    },
    required: ['summary'],
    toResult: changedCard,
  }),
  defineTool({
    name: 'kanban_request_changes',
    operation: 'request-changes',
    description: 'In a review: send the card back to its worker. To approve, use kanban_complete.',
    roles: ['reviewer', ...BOARD_ROLES],
    about: 'own',
    arguments: { reason: 'Every change you require' },
    required: ['reason'],
    toResult: changedCard,
  }),
  defineTool({
    name: 'kanban_heartbeat',
    operation: 'heartbeat',
    description: 'Report progress during long work, at least once an hour.',
    roles: ROLES,
    about: 'own',
    arguments: { note: 'Progress, in one line' },
    toResult: (task: TaskView) => ({ id: task.id, status: task.status }),
  }),
  defineTool({
    name: 'kanban_comment',
    operation: 'comment',
    description: 'Comment on any card of this board.',
    roles: ROLES,
    about: 'any',
    arguments: { body: '' },
    required: ['body'],
    toResult: (comment: Comment) => ({ id: comment.taskId, comment: comment.id }),
  }),
  defineTool({
    name: 'kanban_attach',
    operation: 'attach',
    description: 'Attach a file to a card.',
    roles: ROLES,
    about: 'any',
    arguments: {
      path: { type: 'string', description: 'Absolute path of the file' },
      name: 'Its name on the card; default: its file name',
    },
    required: ['path'],
    toInput: ({ path, name, ...rest }) => ({ ...rest, path, name: name ?? nameOf(path) }),
    toResult: (file: Attachment) => ({ id: file.taskId, name: file.filename, bytes: file.size }),
  }),
  defineTool({
    name: 'kanban_attachments',
    operation: 'attachments',
    description: 'List the attachments of a card, with their paths.',
    roles: ROLES,
    about: 'any',
    arguments: {},
    changesNothing: true,
    toResult: (files: readonly (Attachment & { path: string | null })[]) => ({
      attachments: files.map(({ filename, path, size, contentType }) =>
        withoutEmpty({ name: filename, path, bytes: size, type: contentType }),
      ),
    }),
  }),
  defineTool({
    name: 'kanban_create',
    operation: 'create',
    description:
      'Create a card for work outside your own card. Name its parents now, not later. A person must approve commands you write.',
    roles: ROLES,
    about: 'board',
    arguments: {
      ...fieldArguments('create'),
      parents: 'Cards that must finish first',
      workspace: {
        type: 'string',
        description: 'scratch, dir:/absolute/path, worktree or worktree:/path/of/repository; default: like your card',
      },
      initialStatus: {
        type: 'string',
        enum: INITIAL_STATUSES,
        description: 'triage: an idea; blocked: a person must unblock it',
      },
    },
    required: ['title'],
    notYet: ['goal', 'goalMaxTurns', 'goal_max_turns', 'judge'],
    toInput: createInput,
    toResult: ({ task, created, warning }: { task: TaskView; created: boolean; warning: string | null }) => ({
      created,
      ...changedCard(task),
      ...withoutEmpty({ warning, next: task.commandsApproved ? null : approvalText(task) }),
    }),
  }),
  defineTool({
    name: 'kanban_link',
    operation: 'link',
    description: 'Make one card wait for another.',
    roles: ROLES,
    about: 'board',
    arguments: { parent: '', child: '' },
    required: ['parent', 'child'],
    toResult: changedCard,
  }),
  defineTool({
    name: 'kanban_unblock',
    operation: 'unblock',
    description: 'Let a blocked or scheduled card continue.',
    roles: BOARD_ROLES,
    about: 'named',
    arguments: { reason: 'The answer to its worker, shown in the next briefing' },
    toResult: changedCard,
  }),
  defineTool({
    name: 'kanban_agents',
    operation: 'agents list',
    description: 'List the agents that cards can be assigned to. Never guess a name.',
    roles: BOARD_ROLES,
    about: 'board',
    arguments: {},
    changesNothing: true,
    toResult: (agents: readonly AgentView[]) => ({
      agents: agents.map(({ name, description, harness, permissions, isUsable, problems, waiting }) =>
        withoutEmpty({ name, description, harness, permissions, isUsable, problems, waiting }),
      ),
    }),
  }),
]

const approvalText = ({ id }: TaskView): string =>
  `It starts after a person runs: muster approve ${id} --commands. You need not wait.`

export const toolNamed = (name: string): Tool | undefined => TOOLS.find((tool) => tool.name === name)

function pageSize({ limit }: Arguments): number {
  return typeof limit === 'number' ? Math.min(Math.max(1, limit), MAX_PAGE) : PAGE
}

const nameOf = (path: unknown): unknown => (typeof path === 'string' ? path.split('/').at(-1) : path)

function createInput({ workspace, initialStatus, ...rest }: Arguments): Arguments {
  return {
    ...rest,
    ...(workspace === undefined ? {} : { workspace: workspaceFrom(workspace) }),
    ...(initialStatus === undefined ? {} : initialStatusInput(initialStatus)),
  }
}

function workspaceFrom(given: unknown): unknown {
  const found = typeof given === 'string' ? parseWorkspace(given) : null
  if (found === null)
    throw new BoardError(
      'invalid_input',
      'workspace must be scratch, dir:/absolute/path, worktree or worktree:/path/of/repository.',
      { details: { field: 'workspace' } },
    )
  return found
}
