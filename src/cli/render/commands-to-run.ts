import type { Commands } from '../../operations/reviews/views.ts'
import type { TaskView } from '../../storage/store.ts'
import { block, oneLine } from '../escape.ts'

/** What may run on a card, to the letter, and by whom: whoever approves it reads here what they approve. */
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
    `${dryRun ? 'Would approve' : 'Approved'} the commands of ${answer.task.id}  (sha256 ${answer.hash})`,
    `  agent  ${whoRuns(agent)}`,
    ...(directory === null ? [] : [`  in     ${oneLine(directory)}`]),
    ...(commands.length === 0 ? ['  no commands'] : commands),
  ].join('\n')
}

function whoRuns(agent: Commands['agent']): string {
  if (agent === null) return 'nobody yet'
  const name = oneLine(agent.name)
  return agent.harness === null
    ? `${name}: there is none of this name`
    : `${name}  (${agent.harness}, permissions ${agent.permissions})`
}

const indented = (text: string): string =>
  block(text.trimEnd())
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
