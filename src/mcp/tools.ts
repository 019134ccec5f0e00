/**
 * The tools of the board. Each tool offers one operation. The script scripts/manifest.ts joins these texts with the
 * operation's schema in toolset.ts. Keep descriptions short, because a model reads all of them at every turn.
 */
import { CARD_FIELD_NAMES, cardField } from '../core/card-fields.ts'
import { BoardError } from '../core/errors.ts'
import { DEFAULT_TURNS, INITIAL_STATUSES, JUDGES, initialStatusInput } from '../core/vocabulary.ts'
import { parseWorkspace } from '../core/input/workspace-text.ts'
import type { AgentView } from '../operations/agents/views.ts'
import type { PlanResult } from '../operations/plans/views.ts'
import type { SeriesView } from '../operations/series/views.ts'
import type { BlackboardView, NewSwarm } from '../operations/swarms/views.ts'
import type { AppliedTemplate } from '../operations/templates/views.ts'
import type { TaskDetails } from '../operations/shared/views.ts'
import type { Attachment } from '../core/attachment.ts'
import type { Comment } from '../core/comment.ts'
import type { ListedTask, TaskView } from '../storage/store.ts'
import { changedCard, cardSummary, withoutEmpty, pageOfText, cardDetails } from './results.ts'
import { defineTool, ROLES } from './tool.ts'
import type { Arguments, Tool } from './tool.ts'

const WORKER_ROLES = ['worker', 'member', 'orchestrator', 'assistant'] as const
const BOARD_ROLES = ['orchestrator', 'assistant'] as const

const PAGE = 50
const MAX_PAGE = 200

/** The arguments for fields of a card. For an empty text, the description in the operation's schema is used. */
const fieldArguments = (tool: 'create' | 'list'): Readonly<Record<string, string>> =>
  Object.fromEntries(
    CARD_FIELD_NAMES.flatMap((name) => {
      const text = cardField(name).tool?.[tool]
      return text === undefined ? [] : [[name, text]]
    }),
  )

const PLAN_ARGUMENTS = {
  preview: { type: 'boolean', description: 'Only return the plan' },
  hold: 'Put planned cards on hold',
} as const

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
    // The tool requests one card more than a page holds. If the additional card exists, another page follows.
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
      reviewer: 'Default: the board’s reviewer',
    },
    required: ['summary'],
    toResult: changedCard,
  }),
  defineTool({
    name: 'kanban_request_changes',
    operation: 'request-changes',
    description: 'In a review: send the card back to its worker. To approve, use kanban_complete.',
    roles: ['reviewer', 'verifier', ...BOARD_ROLES],
    about: 'own',
    arguments: {
      reason: 'Every change you require',
      workers: 'Workers of the swarm that must change their work; default: all',
    },
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
      name: 'Default: the file name',
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
      goal: { type: 'boolean', description: 'Its agent works in turns until a judge accepts the work' },
      goalMaxTurns: { type: 'integer', minimum: 1, description: `Turns of the goal, default ${DEFAULT_TURNS}` },
      judge: { type: 'string', enum: JUDGES, description: 'Judge of the goal; default: model' },
    },
    required: ['title'],
    toInput: createInput,
    toResult: ({ task, created, warning }: { task: TaskView; created: boolean; warning: string | null }) => ({
      created,
      ...changedCard(task),
      ...withoutEmpty({ warning, next: task.commandsApproved ? null : approvalText(task) }),
    }),
  }),
  defineTool({
    name: 'kanban_tournament',
    operation: 'create',
    description: 'Let several agents do the same work. The best result wins.',
    roles: BOARD_ROLES,
    about: 'board',
    arguments: {
      title: 'As in kanban_create',
      body: 'Everything the agents must know: they see nothing else',
      agents: '2 to 8 names',
      pick: 'Default: person',
      checks: 'Commands each must pass',
      parents: 'Cards that must finish first',
      workspace: { type: 'string', description: 'As in kanban_create, except dir' },
      idempotencyKey: 'As in kanban_create',
    },
    required: ['title', 'agents'],
    toInput: tournamentInput,
    toResult: ({ task, entries, created, warning }: TournamentStarted) => ({
      created,
      ...changedCard(task),
      entries,
      ...withoutEmpty({ warning }),
    }),
  }),
  defineTool({
    name: 'kanban_link',
    operation: 'link',
    description: 'Make one card wait for another.',
    roles: ['worker', 'reviewer', ...BOARD_ROLES],
    about: 'board',
    arguments: { parent: '', child: '' },
    required: ['parent', 'child'],
    toResult: changedCard,
  }),
  defineTool({
    name: 'kanban_blackboard',
    operation: 'write-blackboard',
    description: 'Read the blackboard of a swarm. With key and value: write an entry.',
    roles: ['member', 'verifier', ...BOARD_ROLES],
    about: 'any',
    arguments: { key: 'One entry; default: all', value: 'The new value', remove: '' },
    toResult: ({ root, entries }: BlackboardView) => ({
      root,
      entries: entries.map(({ key, value, author, writtenAt }) => ({
        key,
        value,
        author,
        at: new Date(writtenAt).toISOString(),
      })),
    }),
  }),
  defineTool({
    name: 'kanban_swarm',
    operation: 'swarm',
    description:
      'Create workers for one goal, a verifier of their work, and a synthesizer that runs after the approval.',
    roles: BOARD_ROLES,
    about: 'board',
    arguments: {
      goal: 'All that the members must know',
      workers: {
        type: 'array',
        description: 'Work in parallel',
        items: {
          type: 'object',
          properties: {
            agent: { type: 'string' },
            title: { type: 'string', description: 'Its part' },
            body: { type: 'string' },
          },
          required: ['agent'],
        },
      },
      verifier: 'Agent that approves it',
      synthesizer: 'Agent that combines it',
      idempotencyKey: 'As in kanban_create',
    },
    required: ['goal', 'workers', 'verifier', 'synthesizer'],
    toResult: ({ created, rootId, workerIds, verifierId, synthesizerId, warnings }: NewSwarm) => ({
      created,
      rootId,
      workerIds,
      verifierId,
      synthesizerId,
      ...withoutEmpty({ warnings }),
    }),
  }),
  defineTool({
    name: 'kanban_unblock',
    operation: 'unblock',
    description: 'Let a blocked or scheduled card continue.',
    roles: BOARD_ROLES,
    about: 'named',
    arguments: { reason: 'The answer to the worker, shown in the next briefing' },
    toResult: changedCard,
  }),
  defineTool({
    name: 'kanban_specify',
    operation: 'specify',
    description: 'Let the planner write out a rough card in triage. A person approves its checks.',
    roles: BOARD_ROLES,
    about: 'named',
    arguments: PLAN_ARGUMENTS,
    toInput: planInput,
    toResult: planSummary,
  }),
  defineTool({
    name: 'kanban_decompose',
    operation: 'decompose',
    description: 'Let the planner split a rough card in triage into cards. It runs again when they are done.',
    roles: BOARD_ROLES,
    about: 'named',
    arguments: PLAN_ARGUMENTS,
    toInput: planInput,
    toResult: planSummary,
  }),
  defineTool({
    name: 'kanban_recur',
    operation: 'recur add',
    description: 'Create a card again and again on a schedule.',
    roles: BOARD_ROLES,
    about: 'board',
    arguments: {
      schedule: '"0 9 * * 1-5", every 2h, weekdays 09:00',
      timeZone: 'Such as Europe/Berlin',
      skipIfRunning: 'Skip while the last card is unfinished',
      title: 'Title of each card',
      body: 'As in kanban_create',
      assignee: 'Agent of each card',
    },
    required: ['schedule', 'title'],
    toResult: ({ id, title, schedule, timeZone, nextAt, problems }: SeriesView) =>
      withoutEmpty({ id, title, schedule, timeZone, nextAt, problems: problems.map(({ message }) => message) }),
  }),
  defineTool({
    name: 'kanban_series',
    operation: 'recur list',
    description: 'List the series of cards that repeat.',
    roles: BOARD_ROLES,
    about: 'board',
    arguments: {},
    changesNothing: true,
    toResult: (all: readonly SeriesView[]) => ({
      series: all.map(({ id, title, schedule, timeZone, nextAt, lastTask, problems }) =>
        withoutEmpty({
          id,
          title,
          schedule,
          timeZone,
          nextAt,
          lastTask,
          problems: problems.map(({ message }) => message),
        }),
      ),
    }),
  }),
  defineTool({
    name: 'kanban_apply',
    operation: 'apply',
    description: 'Create the cards of a template of the user, all or none.',
    roles: BOARD_ROLES,
    about: 'board',
    arguments: {
      template: '',
      set: { type: 'object', description: 'Values of its variables' },
    },
    required: ['template'],
    toResult: ({ created, cards, warnings }: AppliedTemplate) => ({
      created,
      cards: cards.map(({ name, id, title, status }) => withoutEmpty({ name, id, title, status })),
      ...withoutEmpty({ warnings }),
    }),
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

interface TournamentStarted {
  readonly task: TaskView
  readonly entries: readonly string[]
  readonly created: boolean
  readonly warning: string | null
}

/** An agent applies a plan at once, unless it asks for a preview. */
function planInput({ preview, ...rest }: Arguments): Arguments {
  return { ...rest, apply: preview !== true }
}

function planSummary({ id, applied, plan, children, task }: PlanResult): object {
  return withoutEmpty({
    id,
    applied,
    status: task.status,
    rationale: plan.rationale,
    ...(plan.kind === 'specify'
      ? { title: plan.title, assignee: plan.assignee }
      : {
          cards: plan.cards.map(({ key, title, assignee, after }, at) =>
            withoutEmpty({ id: children[at] ?? key, title, assignee, after }),
          ),
        }),
    dropped: plan.dropped,
    reassigned: plan.reassigned,
  })
}

const approvalText = ({ id }: TaskView): string =>
  `It starts after a person runs: muster approve ${id} --commands. You need not wait.`

export const toolNamed = (name: string): Tool | undefined => TOOLS.find((tool) => tool.name === name)

function pageSize({ limit }: Arguments): number {
  return typeof limit === 'number' ? Math.min(Math.max(1, limit), MAX_PAGE) : PAGE
}

const nameOf = (path: unknown): unknown => (typeof path === 'string' ? path.split('/').at(-1) : path)

/** A tournament has one entry for each name. */
function tournamentInput({ agents, ...rest }: Arguments): Arguments {
  return createInput({ ...rest, agents, ...(Array.isArray(agents) && { bestOf: agents.length }) })
}

function createInput({ workspace, initialStatus, goal, goalMaxTurns, judge, ...rest }: Arguments): Arguments {
  const parts = {
    ...(goalMaxTurns === undefined ? {} : { maxTurns: goalMaxTurns }),
    ...(judge === undefined ? {} : { judge }),
  }
  return {
    ...rest,
    ...(goal === true || Object.keys(parts).length > 0 ? { goal: parts } : {}),
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
