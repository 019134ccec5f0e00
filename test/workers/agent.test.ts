import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { expect, onTestFinished, test } from 'vitest'
import { parseAgent } from '../../src/workers/agent.ts'
import { readRoster } from '../../src/workers/roster.ts'

const read = (text: string, stem = 'Coder') => parseAgent(text, stem, (yaml): unknown => parse(yaml))

test('an agent file gives its settings and its instruction', () => {
  const text =
    '---\nharness: shell\nmaxConcurrent: 2\naccount: Team\nmaxRuntime: 1.5h\nenv: [API_KEY]\n---\n\nBe kind.\n'
  expect(read(text)).toEqual({
    name: 'coder',
    harness: 'shell',
    maxConcurrent: 2,
    account: 'team',
    maxRuntimeMs: 5_400_000,
    env: ['API_KEY'],
    instruction: 'Be kind.',
  })
})

test.each([
  ['Be kind.', 'begins without front matter'],
  ['---\nharness: [\n---\n', 'is not YAML'],
  ['---\nharness: telepathy\n---\n', 'harness'],
  ['---\nharness: shell\nmaxRuntime: soon\n---\n', 'maxRuntime: must be a duration'],
  ['---\nharness: shell\nmaxConcurent: 2\n---\n', 'front matter'],
  ['---\nharness: shell\nenv: ["A=B"]\n---\n', 'env.0: must be names of variables'],
])('a fault in an agent file is a sentence: %j', (text, words) => {
  expect(read(text)).toContain(words)
})

test('the roster is the files of the home and the built-in shell; a broken file is told, not fatal', async () => {
  const home = mkdtempSync(join(tmpdir(), 'muster-roster-'))
  onTestFinished(() => rmSync(home, { recursive: true }))
  expect([...(await readRoster(home)).agents.keys()]).toEqual(['shell'])
  mkdirSync(join(home, 'agents'))
  writeFileSync(join(home, 'agents', 'builder.md'), '---\nharness: shell\n---\n')
  writeFileSync(join(home, 'agents', 'broken.md'), 'nothing')
  writeFileSync(join(home, 'agents', 'notes.txt'), 'nothing')
  const { agents, faults } = await readRoster(home)
  expect([...agents.keys()].toSorted()).toEqual(['builder', 'shell'])
  expect(faults.map(({ file }) => file)).toEqual([join(home, 'agents', 'broken.md')])
})
