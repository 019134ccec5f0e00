import { expect, test } from 'vitest'
import { SHELL_AGENT } from '../../src/agents/agent.ts'
import { Preflight } from '../../src/agents/preflight.ts'
import { harnessOf } from '../../src/harnesses/index.ts'
import type { HarnessName } from '../../src/harnesses/index.ts'
import { sampleTask } from '../helpers/sample.ts'

async function obstaclesOf(harness: HarnessName, args: readonly string[], body: string | null) {
  const agent = { ...SHELL_AGENT, harness, args, file: null, program: '/bin/tool' }
  const runner = { agent, harness: harnessOf(agent) }
  const found = await new Preflight('/nowhere').obstaclesFor({ ...sampleTask(), body }, runner, 'work')
  return found.map(({ code }) => code)
}

test('a body that is too long for an argument is refused, unless it is passed as a file', async () => {
  const long = 'x'.repeat(100_000)
  expect(await obstaclesOf('command', ['tool', '{body}'], long)).toEqual(['body_too_long'])
  expect(await obstaclesOf('command', ['tool', '{bodyFile}'], long)).toEqual([])
  expect(await obstaclesOf('command', ['tool', '{body}'], null)).toEqual([])
  expect(await obstaclesOf('acp', ['tool', '{body}'], long)).toEqual([])
})

test('a shell card without a body cannot start', async () => {
  expect(await obstaclesOf('shell', [], ' ')).toEqual(['body_missing'])
  expect(await obstaclesOf('shell', [], 'true')).toEqual([])
})
