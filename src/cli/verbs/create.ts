import { InvalidArgumentError } from 'commander'
import { parseDuration } from '../../config/duration.ts'
import { createTask } from '../../operations/create-task.ts'
import type { TaskView } from '../../storage/store.ts'
import type { ConfigureVerb } from '../commands.ts'
import { dispatcherHint } from '../dispatcher-hint.ts'
import { oneLine } from '../escape.ts'
import { makeIfMissing } from '../first-use.ts'
import { readText } from '../read-text.ts'
import { collect, nameOrNone, wholeNumber } from '../flags.ts'

interface CreateFlags {
  readonly body?: string
  readonly assignee?: string | null
  readonly parent?: readonly string[]
  readonly priority: number
  readonly idempotencyKey?: string
  readonly tenant?: string
  readonly maxRetries?: number
  readonly maxRuntime?: number
  readonly hold?: boolean
}

export const configure: ConfigureVerb = (command, begin) => {
  command
    .argument('<title>', 'what is to be done, in a line')
    .option('--body <text>', 'the rest; - reads it from standard input, @file from a file')
    .option('--assignee <agent>', 'who does it (none: nobody)', nameOrNone)
    .option('--parent <id>', 'a card that must be done first (repeatable)', collect)
    .option('--priority <n>', 'higher starts sooner', wholeNumber(), 0)
    .option('--idempotency-key <key>', 'a second create with this key makes no second card')
    .option('--tenant <name>', 'whom it is for')
    .option('--max-retries <n>', 'failures in a row that open the breaker', wholeNumber(1))
    .option('--max-runtime <time>', 'how long a run may take: 90, 90s, 30m, 2h', durationFlag)
    .option('--hold', 'do not start it before it is released')
    .action(async (title: string, flags: CreateFlags) => {
      const call = begin()
      const body = flags.body === undefined ? null : await readText(call.world, flags.body)
      await makeIfMissing(call, 'create')
      const card = {
        title,
        body,
        assignee: flags.assignee ?? null,
        parents: [...(flags.parent ?? [])],
        priority: flags.priority,
        idempotencyKey: flags.idempotencyKey ?? null,
        tenant: flags.tenant ?? null,
        maxRetries: flags.maxRetries ?? null,
        maxRuntimeMs: flags.maxRuntime ?? null,
        held: flags.hold ?? false,
      }
      const { task, created, differs, hint } = await call.command(async (context) => {
        const made = await createTask.run(context, card)
        return { ...made, hint: await dispatcherHint(context.store, made.task) }
      })
      if (differs.length > 0)
        call.notice(`The card with this key was there already, with another ${differs.join(', ')}.`)
      call.answer(task, sentence(task, created))
      if (hint !== null) call.notice(hint)
    })
}

const sentence = (task: TaskView, created: boolean): string =>
  `${created ? 'Created' : 'Found'} ${task.id}  (${task.status}, assignee=${task.assignee === null ? '-' : oneLine(task.assignee)})`

function durationFlag(text: string): number {
  const ms = parseDuration(text)
  if (ms === null) throw new InvalidArgumentError('Write 90 (seconds), 90s, 30m or 2h.')
  return ms
}
