/** A worker asks a question, a person answers it with `unblock`, and the next run acts on the answer. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Arena } from './arena.ts'
import type { Asked } from './dialects/dialect.ts'

const QUESTION = 'Which port shall it listen on?'

export async function proveAnswer(arena: Arena): Promise<readonly string[]> {
  const folder = join(arena.workspace(), 'answer')
  const file = join(folder, 'port.txt')
  mkdirSync(folder)
  arena.permit('edit')
  try {
    arena.play(
      () => ({ tool: 'kanban_block', input: { reason: QUESTION, kind: 'needs_input' } }),
      () => ({ text: 'I wait for an answer.' }),
    )
    const id = await arena.create('--workspace', `dir:${folder}`)
    await arena.muster('dispatch', '--wait')
    const { status: asking } = await arena.card(id)
    if (asking !== 'blocked') return [`the card is ${asking} after the question`]
    // The model knows the port only from what it is told.
    const portIn = ({ said }: Asked): string => /port (\d{4})/.exec(said)?.[1] ?? 'unknown'
    arena.play(
      (asked) => arena.setup.write(file, portIn(asked)),
      () => ({ tool: 'kanban_complete', input: { summary: 'listens' } }),
      () => ({ text: 'done' }),
    )
    await arena.muster('unblock', id, '--reason', 'Take port 8470.')
    await arena.muster('dispatch', '--wait')
    const { status } = await arena.card(id)
    const told = arena.asked[0]?.said ?? ''
    return [
      ...(told.includes(QUESTION) ? [] : ['the next run did not know the question']),
      ...(told.includes('port 8470') ? [] : ['the next run did not know the answer']),
      ...(contentOf(file) === '8470' ? [] : [`the file holds ${contentOf(file)}`]),
      ...(status === 'done' ? [] : [`the card is ${status}`]),
    ]
  } finally {
    arena.permit('full')
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return 'nothing'
  }
}
