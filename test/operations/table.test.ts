import { expect, test } from 'vitest'
import * as z from 'zod'
import { OPERATIONS } from '../../src/operations/index.ts'

const all = Object.entries(OPERATIONS)

test.each(all)('operation %s has the name of its table entry, and a summary', (name, operation) => {
  expect(operation.name).toBe(name)
  expect(operation.summary).toMatch(/^[A-Z].*\.$/)
})

test.each(all)('operation %s publishes the schemas of its input and output', async (_, operation) => {
  const { input, output } = await operation.schemas()
  expect(z.toJSONSchema(input, { unrepresentable: 'any', io: 'input' })).toMatchObject({ type: 'object' })
  const given = z.toJSONSchema(output, { unrepresentable: 'any' })
  expect(given.type ?? given.anyOf ?? given.oneOf).toBeDefined()
})
