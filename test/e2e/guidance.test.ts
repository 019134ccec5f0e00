// Runs every tool call in guidance, descriptions and docs, in a run of the role that reads it.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { expect, test } from 'vitest'
import { GUIDANCE } from '../../src/core/briefing/guidance.ts'
import type { TaskId } from '../../src/core/ids.ts'
import { PROMPTS } from '../../src/mcp/prompts.ts'
import { TOOLS } from '../../src/mcp/tools.ts'
import { makeTestHome } from '../helpers/cli.ts'
import { examplesIn } from '../helpers/tool-examples.ts'
import type { ToolExample } from '../helpers/tool-examples.ts'
import { connectTools, entryOf, writeToolAgent } from './tools.ts'

const VERDICTS = new Set(['kanban_complete', 'kanban_block', 'kanban_request_review', 'kanban_request_changes'])
const DOCS = join(import.meta.dirname, '..', '..', 'docs')

/**
 * Returns the examples by role. An example without a role belongs to a worker if a worker may run it, otherwise to an
 * orchestrator.
 */
function shownTo(): Record<'worker' | 'reviewer' | 'orchestrator', readonly ToolExample[]> {
  const texts = [
    ...readdirSync(DOCS)
      .filter((name) => name.endsWith('.md'))
      .map((name) => readFileSync(join(DOCS, name), 'utf8')),
    ...TOOLS.map(({ description }) => description),
    ...PROMPTS.map(({ text }) => text({ card: 't_…', goal: 'a shed' })),
  ]
  const others = texts.flatMap(examplesIn)
  const isForWorkers = ({ name }: ToolExample) =>
    TOOLS.some((tool) => tool.name === name && tool.roles.includes('worker'))
  return {
    worker: [...examplesIn(GUIDANCE.worker), ...others.filter(isForWorkers)],
    reviewer: examplesIn(GUIDANCE.reviewer),
    orchestrator: [
      ...examplesIn(GUIDANCE.orchestrator),
      ...examplesIn(GUIDANCE.assistant),
      ...others.filter((example) => !isForWorkers(example)),
    ],
  }
}

test('the guidance of every role contains examples that the parser reads', () => {
  for (const text of Object.values(GUIDANCE)) expect(examplesIn(text).length).toBeGreaterThan(3)
  expect(examplesIn('say kanban_block(reason="a, b (c)", kind="x") now')).toEqual([
    {
      text: 'kanban_block(reason="a, b (c)", kind="x")',
      name: 'kanban_block',
      given: { reason: 'a, b (c)', kind: 'x' },
    },
  ])
  expect(examplesIn('kanban_show()')).toMatchObject([{ given: {} }])
})

test('every example tool call has the effect that its text describes', async () => {
  const home = makeTestHome('sqlite')
  home.env['MUSTER_MACHINE_CAP'] = '40'
  writeToolAgent(home, 'worker')
  writeToolAgent(home, 'reviewer')
  writeToolAgent(home, 'orchestrator', 'tools: [kanban]')
  const files = join(home.home, 'files')
  mkdirSync(files, { recursive: true })

  // The runs with their examples. Each verdict has its own run; all other calls happen in the first run of their role.
  const runs: { id: TaskId; role: string; examples: ToolExample[] }[] = []
  for (const [role, examples] of Object.entries(shownTo())) {
    const verdicts = examples.filter(({ name }) => VERDICTS.has(name))
    const others = examples.filter(({ name }) => !VERDICTS.has(name))
    for (const [at, verdict] of verdicts.entries()) {
      const flags = role === 'reviewer' ? ['--reviewer', role] : ['--assignee', role]
      const { id } = await home.create(`${role} ${at}`, ...flags)
      if (role === 'reviewer') await home.runInline('request-review', id)
      runs.push({ id, role, examples: at === 0 ? [...others, verdict] : [verdict] })
    }
  }
  const blocked = await home.create('blocked')
  await home.runInline('block', blocked.id, 'which port')
  await home.dispatch()

  const failed: unknown[] = []
  for (const { id, role, examples } of runs) {
    const tools = await connectTools(await entryOf(home, id))
    for (const { name, given, text } of examples) {
      if (name === 'kanban_unblock') await home.runInline('block', blocked.id, 'which port')
      const made = 'createdCards' in given ? await tools.call('kanban_create', { title: 'made' }) : { id: blocked.id }
      const json = JSON.stringify(given).replaceAll('t_…', String(made['id'])).replaceAll('/path/to/', `${files}/`)
      const real = JSON.parse(json) as Record<string, unknown>
      for (const path of [real['artifacts'], real['path']].flat())
        if (typeof path === 'string') writeFileSync(join(files, basename(path)), 'a file')
      const answer = await tools.call(name, real)
      const isWell = VERDICTS.has(name) ? 'recorded' in answer : !('error' in answer)
      if (!isWell) failed.push({ role, text, answer })
    }
    await tools.close()
  }
  expect(failed).toEqual([])
  expect(new Set(runs.flatMap(({ examples }) => examples.map(({ name }) => name))).size).toBeGreaterThanOrEqual(11)
})
