import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { makeCommandLine } from '../helpers/command-line.ts'
import type { CommandLine } from '../helpers/command-line.ts'
import { chooseModel, useScriptedModel } from '../helpers/scripted-model.ts'
import type { ScriptedModel } from '../helpers/scripted-model.ts'

let line: CommandLine
let model: ScriptedModel
beforeEach(async () => {
  line = makeCommandLine()
  model = await useScriptedModel()
  await line.muster('init')
  chooseModel(line.home, model)
  mkdirSync(join(line.home, 'agents'), { recursive: true })
  writeFileSync(file(), '---\nharness: command\nargs: ["true"]\n---\nYou fix bugs in Go.\n')
})
const file = (): string => join(line.home, 'agents', 'coder.md')
const text = (): string => readFileSync(file(), 'utf8')

test('a person sets the description', async () => {
  const { stdout } = await line.muster('agents', 'describe', 'coder', 'Fixes', 'Go')
  expect([stdout, text()]).toEqual(['Described coder: Fixes Go\n', expect.stringContaining('description: Fixes Go\n')])
})

test('the model describes the agent from its instruction, and may do so again', async () => {
  model.script({ json: { description: 'Fixes bugs in Go.' } }, { json: { description: 'Repairs Go code.' } })
  await line.muster('agents', 'describe', 'coder', '--auto')
  expect(model.requests[0]?.messages[1]?.content).toContain('You fix bugs in Go.')
  await line.muster('agents', 'describe', 'coder', '--auto')
  expect(text()).toContain('description: Repairs Go code. # by a model\n')
})

test('a description by a person stays unless --force is given', async () => {
  await line.muster('agents', 'describe', 'coder', 'Fixes Go')
  const kept = await line.muster('agents', 'describe', 'coder', '--auto')
  expect([kept.code, kept.stderr]).toEqual([1, expect.stringContaining('--auto --force')])
  expect(model.requests).toEqual([])
  model.script({ json: { description: 'Repairs Go code.' } })
  await line.muster('agents', 'describe', 'coder', '--auto', '--force')
  expect(text()).toContain('Repairs Go code.')
})

test('a description that a person writes while the model works stays', async () => {
  model.script(async () => {
    await line.muster('agents', 'describe', 'coder', 'Fixes Go')
    return { json: { description: 'Repairs Go code.' } }
  })
  const kept = await line.muster('agents', 'describe', 'coder', '--auto')
  expect([kept.code, kept.stderr]).toEqual([1, expect.stringContaining('--auto --force')])
  expect(text()).toContain('description: Fixes Go\n')
})

test('a description that is too long is corrected once', async () => {
  model.script({ json: { description: 'x'.repeat(281) } }, { json: { description: 'Repairs Go code.' } })
  expect((await line.muster('agents', 'describe', 'coder', '--auto')).code).toBe(0)
})

test('built-in and unknown agents are refused, and a text or --auto is needed', async () => {
  expect((await line.muster('agents', 'describe', 'shell', 'x')).stderr).toContain('is built in')
  expect((await line.muster('agents', 'describe', 'ghost', 'x')).code).toBe(3)
  expect((await line.muster('agents', 'describe', 'coder')).stderr).toContain('--auto')
})
