/** Stands in for the language model on the board of the screenshots. It answers like an OpenAI-compatible endpoint. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface StandInModel {
  /** The base address for config.yaml. */
  readonly url: string
  close(): Promise<void>
}

const planned = (
  key: string,
  title: string,
  assignee: string,
  after: readonly string[] = [],
  checks: string[] = [],
) => ({
  key,
  title,
  body: `## Goal\n\n${title}, so that packing takes half as long.\n\n## Acceptance criteria\n\n- [ ] it works for 200 orders\n- [ ] the old slips still print`,
  assignee,
  after,
  checks,
})

const PLAN = {
  rationale:
    'Layout, data and printing need different agents and can be done at the same time. The trial needs all three.',
  split: true,
  cards: [
    planned('layout', 'Design a slip that fits four on a page', 'writer'),
    planned('data', 'Collect the open orders of a warehouse', 'claude', [], ['npm test -- orders']),
    planned('formats', 'Compare three label printers', 'researcher'),
    planned('print', 'Print all slips as one document', 'claude', ['layout', 'data'], ['npm test', 'npm run lint']),
    planned('trial', 'Try a morning with 200 orders', 'tester', ['print', 'formats']),
  ],
}

/** What the judge answers, turn by turn. */
const JUDGEMENTS = [
  {
    answer: 'continue',
    reason: 'Two points are missing.',
    missing: ['The page about refunds has no French copy', 'The links in the navigation still point to English pages'],
  },
  { answer: 'continue', reason: 'One point is missing.', missing: ['The links still point to English pages'] },
]

export async function startStandInModel(): Promise<StandInModel> {
  let judged = 0
  const answerTo = (question: string): object => {
    if (question.includes('"split"')) return PLAN
    const judgement = JUDGEMENTS[Math.min(judged, JUDGEMENTS.length - 1)] ?? {}
    judged += 1
    return judgement
  }
  const server = createServer((request, response) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const content = JSON.stringify(answerTo(Buffer.concat(parts).toString('utf8')))
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({
          model: 'qwen3',
          choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: 'stop' }],
          usage: { prompt_tokens: 2_140, completion_tokens: 610, cost: 0.02 },
        }),
      )
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
