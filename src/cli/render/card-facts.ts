/** The facts of a card, one line each: context, workspace, limits, history. Empty facts are left out. */
import { FACT_FIELDS, fieldText } from '../../core/card-fields.ts'
import { accepts } from '../../core/status.ts'
import type { TaskDetails } from '../../operations/shared/views.ts'
import { oneLine } from '../escape.ts'
import { assigneeOf, localTime, span } from './format-values.ts'

type Fact = readonly [name: string, value: string | null]

export const cardFacts = (task: TaskDetails): string =>
  [...contextFacts(task), ...workspaceFacts(task), ...limitFacts(task), ...historyFacts(task)]
    .flatMap(([name, value]) => (value === null || value === '' ? [] : [`  ${name.padEnd(11)}  ${oneLine(value)}`]))
    .join('\n')

const at = (ms: number | null): string | null => (ms === null ? null : localTime(ms))

const contextFacts = (task: TaskDetails): Fact[] => [
  ['assignee', assigneeOf(task)],
  ['board', task.board],
  ...FACT_FIELDS.map((name): Fact => [name, fieldText(task[name])]),
  ['workflow', [task.workflow, task.step].filter((part) => part !== null).join(', step ')],
  ['priority', task.priority === 0 ? null : String(task.priority)],
  ['parents', task.parents.join(', ')],
  ['children', task.children.join(', ')],
]

const workspaceFacts = ({ workspace, skills, model, provider, effort, ...task }: TaskDetails): Fact[] => [
  [
    'workspace',
    `${[workspace.kind, workspace.path ?? workspace.repo].filter((part) => part !== null).join(' ')}${stateOf(workspace.state)}`,
  ],
  ['landed', landing({ ...task, workspace })],
  ['base', workspace.base === null ? null : baseOf(workspace.base, workspace.baseBranch)],
  ['skills', skills === null ? null : skills.join(', ') || '(none)'],
  ['model', [provider, model, effort].filter((part) => part !== null).join(', ')],
]

type Landing = Pick<TaskDetails, 'id' | 'status' | 'workspace' | 'landed' | 'hasUnlandedWork'>

function landing({ id, status, workspace, landed, hasUnlandedWork }: Landing): string | null {
  if (landed === null)
    return status === 'done' && workspace.kind === 'worktree' && workspace.base !== null
      ? `no; to land: muster land ${id}`
      : null
  const last = baseOf(landed.commit, landed.into)
  if (!hasUnlandedWork) return last
  return `${last}; newer commits have not landed${accepts(status, 'land') ? `, to land them: muster land ${id}` : ''}`
}

/** Empty for states that a person need not know. */
const stateOf = (state: TaskDetails['workspace']['state']): string =>
  ({ none: '', live: '', sweeping: ' (being removed)', gone: ' (gone)', kept: ' (kept)' })[state]

const baseOf = (commit: string, branch: string | null): string =>
  branch === null ? commit.slice(0, 12) : `${branch} at ${commit.slice(0, 12)}`

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
