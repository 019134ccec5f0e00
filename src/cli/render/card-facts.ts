/** Formats the facts of a card, one row each: context, workspace, limits, history. Empty facts are left out. */
import { FACT_FIELDS, fieldText } from '../../core/card-fields.ts'
import type { TaskDetails } from '../../operations/shared/views.ts'
import { oneLine } from '../output/escape.ts'
import { localTime, span } from './format-values.ts'
import type { Row } from './page-layout.ts'

type Fact = readonly [name: string, value: string | null]

export const cardFacts = (task: TaskDetails): readonly Row[] =>
  [...contextFacts(task), ...workspaceFacts(task), ...limitFacts(task), ...historyFacts(task)].flatMap(
    ([name, value]) => (value === null || value === '' ? [] : [{ name, text: oneLine(value) }]),
  )

const at = (ms: number | null): string | null => (ms === null ? null : localTime(ms))

const contextFacts = (task: TaskDetails): Fact[] => [
  // If the branch exists, it is shown in the section of files, so it is left out here.
  ...FACT_FIELDS.filter((name) => name !== 'branch' || task.workspace.base === null).map((name): Fact => [
    name,
    fieldText(task[name]),
  ]),
  ['workflow', [task.workflow, task.step].filter((part) => part !== null).join(', step ')],
  ['priority', task.priority === 0 ? null : String(task.priority)],
]

const workspaceFacts = ({ workspace, skills, model, provider, effort }: TaskDetails): Fact[] => [
  ['workspace', `${workspaceText(workspace)}${stateOf(workspace.state)}`],
  ['skills', skills === null ? null : skills.join(', ') || '(none)'],
  ['model', [provider, model, effort].filter((part) => part !== null).join(', ')],
]

/**
 * The workspace of a card: the path for `dir`, the repository for a worktree. The section of files shows the folder.
 */
const workspaceText = ({ kind, path, repo }: TaskDetails['workspace']): string =>
  [kind, kind === 'dir' ? path : repo].filter((part) => part !== null).join(' ')

/** The state of a workspace as text. Empty for states that do not matter to a person. */
const stateOf = (state: TaskDetails['workspace']['state']): string =>
  ({ none: '', live: '', sweeping: ' (being removed)', gone: ' (gone)', kept: ' (kept)' })[state]

const limitFacts = ({
  checks,
  agentChecks,
  assignee,
  maxRuntimeMs,
  retryLimit,
  consecutiveFailures,
}: TaskDetails): Fact[] => [
  ...checks.map((check): Fact => ['check', check]),
  ...agentChecks.map((check): Fact => ['check', `${check} (of agent ${assignee})`]),
  ['time limit', maxRuntimeMs === null ? null : span(maxRuntimeMs)],
  [
    'retries',
    `gives up after ${retryLimit.value} ${retryLimit.value === 1 ? 'failure' : 'failures in a row'} (the ${retryLimit.from}'s limit)${consecutiveFailures === 0 ? '' : `, ${consecutiveFailures} so far`}`,
  ],
]

const historyFacts = (task: TaskDetails): Fact[] => [
  ['last error', task.status === 'done' ? null : task.lastError],
  ['created', `${localTime(task.createdAt)} by ${task.createdBy}`],
  ['scheduled', at(task.scheduledAt)],
  ['started', at(task.startedAt)],
  ['completed', at(task.completedAt)],
]
