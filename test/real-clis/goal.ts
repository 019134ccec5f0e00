/**
 * Proves that each CLI works towards a goal in three turns of one session. A judge on loopback refuses the first two
 * turns, and its missing points reach the model as the next message.
 */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ModelReply } from './dialects/dialect.ts'
import { startModel } from './model-server.ts'
import type { Testbed } from './testbed.ts'

const POINTS = ['write the word kumquat', 'write the word persimmon'] as const

const answer = (missing: readonly string[]): ModelReply => ({
  text: JSON.stringify({ answer: missing.length === 0 ? 'done' : 'continue', reason: 'seen', missing }),
})

export async function proveGoal(testbed: Testbed): Promise<readonly string[]> {
  let asked = 0
  const judge = await startModel(() => {
    const point = POINTS[asked]
    asked += 1
    return answer(point === undefined ? [] : [point])
  })
  const config = join(testbed.home, 'config.yaml')
  try {
    writeFileSync(config, `models:\n  judge: { url: "${judge.url}/v1", model: scripted }\n`)
    const { card, run, requests } = await testbed.scene('goal', {
      script: [
        () => ({ text: 'I am done I think' }),
        () => ({ tool: 'kanban_complete', input: { summary: 'too early' } }),
        () => ({ text: 'all done' }),
        () => ({ tool: 'kanban_complete', input: { summary: 'did it in three turns' } }),
        () => ({ text: 'all done' }),
      ],
      flags: ['--goal', '--body', 'The word is xylophone.'],
      isRecorded: false,
    })
    const turns = run.goal?.judgements.map(({ turn, answer: given }) => `${turn} ${given}`).join(', ')
    const [second = '', third = ''] = POINTS.map(
      (point) => requests.find(({ conversation }) => conversation.includes(point))?.conversation ?? '',
    )
    return [
      ...(card.status === 'done' ? [] : [`the card is ${card.status}: ${card.blockReason ?? run.error}`]),
      ...(turns === '1 continue, 2 continue, 3 done' ? [] : [`its judgements are ${turns}`]),
      ...(run.summary === 'did it in three turns' ? [] : [`its summary is ${run.summary}`]),
      ...(second.includes('xylophone') && second.includes('I am done I think')
        ? []
        : ['the second turn does not have the conversation of the first']),
      ...(third.includes(POINTS[0]) ? [] : ['the third turn does not have the conversation of the second']),
      ...(judge.requests[1]?.conversation.includes('too early') === true ? [] : ['the judge did not see the report']),
    ]
  } finally {
    writeFileSync(config, '')
    await judge.close()
  }
}
