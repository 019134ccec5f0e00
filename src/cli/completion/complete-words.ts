/**
 * Answers a shell when the user presses Tab. After an error, the answer has no candidates, because the error cannot be
 * shown at that point.
 */
import type { CommandEntry } from '../manifest-entry.ts'
import type { World } from '../world.ts'
import { readBashLine, replyToBash } from './bash-line.ts'
import { questionAt } from './question.ts'
import type { WordCompletion, CompletionQuestion } from './question.ts'
import { answersFrom } from './sources.ts'

/**
 * Completes the line in the arguments. The arguments are `bash <word breaks> <line>`, or `zsh` or `fish` and the typed
 * words.
 */
export async function completeWords(
  world: World,
  manifest: readonly CommandEntry[],
  [shell, ...given]: readonly string[],
): Promise<number> {
  try {
    const reply = shell === 'bash' ? await forBash(world, manifest, given) : await forOthers(world, manifest, given)
    if (reply.length > 0) world.stdout.write(`${reply.join('\n')}\n`)
  } catch {
    // After an error, the answer has no candidates, because the shell would not show the error.
  }
  return 0
}

async function forBash(
  world: World,
  manifest: readonly CommandEntry[],
  [breaks = '', line = '']: readonly string[],
): Promise<string[]> {
  const read = readBashLine(line)
  const question = questionAt(manifest, read.words.slice(1))
  return (await findCompletions(world, question)).map(({ value }) => replyToBash(value, { ...read, breaks }))
}

async function forOthers(world: World, manifest: readonly CommandEntry[], words: readonly string[]): Promise<string[]> {
  const found = await findCompletions(world, questionAt(manifest, words))
  return found.map(({ value, about = '' }) => `${value}\t${about}`)
}

/** Whether the user has already typed this prefix, such as `dir:`. Such a prefix is not offered again. */
const isTypedPrefix = (value: string, { typed }: CompletionQuestion): boolean => value === typed && /[:=@]$/.test(value)

/** The candidates that start with the typed text. */
async function findCompletions(world: World, question: CompletionQuestion): Promise<WordCompletion[]> {
  const all = [...question.known, ...(await answersFrom(world, question))]
  return all
    .filter(({ value }) => value.startsWith(question.typed) && !/[\n\t]/.test(value) && !isTypedPrefix(value, question))
    .map((candidate) => ({ ...candidate, value: `${question.prefix}${candidate.value}` }))
}
