import type { TaskView } from '../../storage/store.ts'
import { block } from '../escape.ts'

/** What may run on a card, to the letter: whoever approved it reads here what they approved. */
export function approvedCommands(answer: {
  readonly task: Pick<TaskView, 'id'>
  readonly commands: { readonly body: string | null; readonly checks: readonly string[] }
  readonly hash: string
}): string {
  const { body, checks } = answer.commands
  const commands = [
    ...(body === null ? [] : [`  body\n${indented(body)}`]),
    ...checks.map((check) => `  check\n${indented(check)}`),
  ]
  const shown = commands.length === 0 ? ['  none'] : commands
  return [`Approved the commands of ${answer.task.id}  (sha256 ${answer.hash})`, ...shown].join('\n')
}

const indented = (text: string): string =>
  block(text.trimEnd())
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')
