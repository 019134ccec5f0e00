// Tests the number of tokens in texts that a model reads at every turn.
import { encode } from 'gpt-tokenizer'
import { expect, test } from 'vitest'
import { GUIDANCE } from '../../src/core/briefing/guidance.ts'
import { ROLES } from '../../src/mcp/tool.ts'
import { toolsFor } from '../../src/mcp/tool-list.ts'

test.each([
  ['worker', 1_500],
  ['reviewer', 1_500],
  ['orchestrator', 2_500],
  ['assistant', 2_500],
] as const)('the tools of a %s cost at most %i tokens', (role, most) => {
  expect(encode(JSON.stringify(toolsFor(role))).length).toBeLessThanOrEqual(most)
})

test.each(ROLES)('the guidance for the role %s costs at most 400 tokens', (role) => {
  expect(encode(GUIDANCE[role]).length).toBeLessThanOrEqual(400)
})
