import { InvalidArgumentError } from 'commander'
import { BoardError } from '../../core/errors.ts'
import type { Json } from '../../core/fields.ts'
import { completeTask } from '../../operations/complete-task.ts'
import type { CommandContext } from '../../operations/operation.ts'
import type { ConfigureVerb } from '../commands.ts'
import { answerMany, oneByOne } from '../many.ts'

interface CompleteFlags {
  readonly summary?: string
  readonly result?: string
  readonly metadata?: Json
}

export const configure: ConfigureVerb = (command, begin) => {
  command
    .argument('<ids...>', 'the cards, or the beginnings of their ids')
    .option('--summary <text>', 'what changed, for whoever works on the next card')
    .option('--result <text>', 'what came out of it')
    .option('--metadata <json>', 'a JSON object to keep with the card', jsonObject)
    .action(async (ids: string[], { summary, result, metadata }: CompleteFlags) => {
      const call = begin()
      if (ids.length > 1 && (summary !== undefined || metadata !== undefined))
        throw new BoardError('invalid_input', 'A summary or metadata tells of one card: complete these one by one.')
      const complete = (context: CommandContext, task: string) =>
        completeTask.run(context, {
          task,
          summary: summary ?? null,
          result: result ?? null,
          metadata: metadata ?? null,
        })
      const answers = await call.command((context) => oneByOne(ids, (id) => complete(context, id)))
      answerMany(call, answers, (task) => `Completed ${task.id}`)
    })
}

function jsonObject(text: string): Json {
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json
  } catch {
    // Said below, in the same words.
  }
  throw new InvalidArgumentError('Give a JSON object, such as {"tests": 12}.')
}
