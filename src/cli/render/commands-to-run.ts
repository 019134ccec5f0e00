import type { Commands } from '../../operations/reviews/views.ts'
import type { TaskView } from '../../storage/store.ts'
import { multiLine, oneLine } from '../output/escape.ts'

/** Shows the exact commands of a card and the agent that runs them, for the person who approves them. */
export function commandsToRun(
  answer: { readonly task: Pick<TaskView, 'id'>; readonly commands: Commands; readonly hash: string },
  dryRun: boolean,
): string {
  const { body, checks, directory, agent } = answer.commands
  const commands = [
    ...(body === null ? [] : [`  body, run as a script\n${indented(body)}`]),
    ...checks.map((check) => `  check\n${indented(check)}`),
  ]
  return [
    `${dryRun ? `${answer.task.id} will run:` : `Approved the commands of ${answer.task.id}:`}  (sha256 ${answer.hash})`,
    `  agent  ${agentText(agent)}`,
    ...(directory === null ? [] : [`  in     ${oneLine(directory)}`]),
    ...(commands.length === 0 ? ['  no commands'] : commands),
  ].join('\n')
}

function agentText(agent: Commands['agent']): string {
  if (agent === null) return 'unassigned'
  const name = oneLine(agent.name)
  return agent.harness === null
    ? `${name} (does not exist)`
    : `${name}  (${agent.harness}, permissions ${agent.permissions})`
}

const indented = (text: string): string =>
  multiLine(text.trimEnd())
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
