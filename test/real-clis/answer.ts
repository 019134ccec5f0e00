/** Proves that a worker can ask a question, a person answers it with `unblock`, and the next run uses the answer. */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Testbed } from './testbed.ts'
import type { ModelRequest } from './dialects/dialect.ts'

const QUESTION = 'Which port shall it listen on?'

export async function proveAnswer(testbed: Testbed): Promise<readonly string[]> {
  const folder = join(testbed.workspace(), 'answer')
  const file = join(folder, 'port.txt')
  mkdirSync(folder)
  testbed.permit('edit')
  try {
    testbed.play(
      () => ({ tool: 'kanban_block', input: { reason: QUESTION, kind: 'needs_input' } }),
      () => ({ text: 'I wait for an answer.' }),
    )
    const id = await testbed.create('--workspace', `dir:${folder}`)
    await testbed.muster('dispatch', '--wait')
    const { status: asking } = await testbed.card(id)
    if (asking !== 'blocked') return [`the card is ${asking} after the question`]
    // The scripted model reads the port from its conversation.
    const portIn = ({ conversation }: ModelRequest): string => /port (\d{4})/.exec(conversation)?.[1] ?? 'unknown'
    testbed.play(
      (request) => testbed.setup.write(file, portIn(request)),
      () => ({ tool: 'kanban_complete', input: { summary: 'listens' } }),
      () => ({ text: 'done' }),
    )
    await testbed.muster('unblock', id, '--reason', 'Take port 8470.')
    await testbed.muster('dispatch', '--wait')
    const { status } = await testbed.card(id)
    const conversation = testbed.requests[0]?.conversation ?? ''
    return [
      ...(conversation.includes(QUESTION) ? [] : ['the next run did not get the question']),
      ...(conversation.includes('port 8470') ? [] : ['the next run did not get the answer']),
      ...(contentOf(file) === '8470' ? [] : [`the file contains ${contentOf(file)}`]),
      ...(status === 'done' ? [] : [`the card is ${status}`]),
    ]
  } finally {
    testbed.permit('full')
  }
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    return 'nothing'
  }
}
