/** Runs a command on several cards. Each card succeeds or fails separately, and the output is a list. */
import { BoardError, asBoardError, isDiskFull } from '../core/errors.ts'
import type { TaskView } from '../storage/store.ts'
import { recordedIn } from '../runs/socket/protocol.ts'
import type { Invocation } from './invocation.ts'
import { multiLine } from './output/escape.ts'
import { EXIT, exitCodeOf } from './output/printer.ts'

const OUTPUT_LINES = 20

type CardAnswer =
  | { readonly id: string; readonly ok: true; readonly task: TaskView }
  | { readonly id: string; readonly ok: false; readonly error: BoardError }

/**
 * Changes the cards one after the other in the given order, because a parent may have to be done before its child.
 * While the command waits for the run of one card to end, it already changes the next card. An error that is not about
 * a card ends the command.
 */
export async function oneByOne(
  ids: readonly string[],
  act: (id: string, onPending: () => void) => Promise<TaskView>,
): Promise<CardAnswer[]> {
  const answers: Promise<CardAnswer>[] = []
  for (const typed of new Set(ids)) {
    const waits = new Promise<void>((onPending) => {
      answers.push(attempt(typed, () => act(typed, onPending)))
    })
    await Promise.race([answers.at(-1), waits])
  }
  return Promise.all(answers)
}

async function attempt(typed: string, act: () => Promise<TaskView>): Promise<CardAnswer> {
  try {
    const task = await act()
    return { id: task.id, ok: true, task }
  } catch (error) {
    if (error instanceof BoardError || isDiskFull(error)) return { id: typed, ok: false, error: asBoardError(error) }
    throw error
  }
}

export function answerMany(
  cli: Invocation,
  answers: readonly CardAnswer[],
  sentence: (task: TaskView) => string,
): void {
  const done = answers.flatMap((answer) => (answer.ok ? [recordedIn(answer.task) ?? sentence(answer.task)] : []))
  const failed = answers.flatMap((answer) => (answer.ok ? [] : [answer.error]))
  if (cli.json || done.length > 0) cli.answer(answers, done.join('\n'))
  for (const error of failed) cli.cardError(error, lastOutput(error))
  const [only] = failed
  if (only === undefined) return
  cli.exitCode = answers.length === 1 ? exitCodeOf(only) : EXIT.failed
}

/** The last lines of a failed check. The details of the error have the whole output. */
function lastOutput({ code, details }: BoardError): string[] {
  const { output } = details
  if (code !== 'checks_failed' || typeof output !== 'string') return []
  return multiLine(output.trimEnd())
    .split('\n')
    .slice(-OUTPUT_LINES)
    .map((line) => `  ${line}`)
}
