/**
 * Proves that each CLI can plan: `muster decompose` asks it a single question without the board's tools, and applies the answer. A
 * malformed answer is corrected in a second question.
 */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PlanResult } from '../../src/operations/plans/views.ts'
import type { Testbed } from './testbed.ts'

const card = (key: string, after: readonly string[] = []) => ({
  key,
  title: `Build ${key}`,
  body: `Build the part ${key}.`,
  assignee: 'coder',
  checks: [],
  after,
})
const PLAN = { rationale: 'Two parts.', split: true, cards: [card('one'), card('two', ['one'])] }

/** Tools that change files, run programs or reach the network, by the names of all CLIs. */
const TOOLS = /bash|shell|exec|write|edit|patch|replace|fetch|web|mcp|muster|task/i

const isCorrection = (conversation: string): boolean => conversation.includes('Your answer is not valid')

export async function provePlan(testbed: Testbed): Promise<readonly string[]> {
  const config = join(testbed.home, 'config.yaml')
  const names = Object.keys(testbed.setup.env)
  const key = names.find((name) => name.endsWith('KEY')) ?? names[0]
  writeFileSync(config, `models: { planner: { cli: ${testbed.cli}, keyEnv: ${key}, timeout: 2m } }\n`)
  try {
    // Gemini CLI also asks a small model which model to use, so the reply depends on the request and not on its number.
    testbed.play(({ conversation }) =>
      isCorrection(conversation)
        ? { text: `Here it is:\n\`\`\`json\n${JSON.stringify(PLAN)}\n\`\`\`` }
        : { text: 'I would rather not.' },
    )
    const id = await testbed.create('--triage')
    const printed = await testbed.muster('decompose', id, '--yes', '--json')
    const [answer] = JSON.parse(printed) as [
      PlanResult & { readonly ok: boolean; readonly error?: { message: string } },
    ]
    if (!answer.ok) return [`the plan failed: ${answer.error?.message ?? printed}`]
    const root = await testbed.card(id)
    const conversations = testbed.requests.map(({ conversation }) => conversation)
    const tools = [...new Set(testbed.requests.flatMap((request) => request.tools))].filter((name) => TOOLS.test(name))
    for (const child of [...answer.children, id]) await testbed.muster('archive', child)
    return [
      ...(answer.children.length === 2 ? [] : [`${answer.children.length} cards were planned instead of 2`]),
      ...(root.status === 'todo' ? [] : [`the card is ${root.status}`]),
      ...(conversations.some((text) => text.includes('Write out.txt')) ? [] : ['the model did not get the card']),
      ...(conversations.some(isCorrection) ? [] : ['the model was not asked for a correction']),
      ...((answer.plan.usage?.inputTokens ?? 0) > 0 ? [] : ['no tokens were recorded']),
      ...(tools.length === 0 ? [] : [`the model was offered the tools ${tools.join(', ')}`]),
    ]
  } finally {
    rmSync(config, { force: true })
  }
}
