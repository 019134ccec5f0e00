import { expect, test } from 'vitest'
import * as z from 'zod'
import { OPERATIONS } from '../../src/operations/index.ts'

const all = Object.entries(OPERATIONS)

test.each(all)('%s is named as the table names it, and says what it does', (name, operation) => {
  expect(operation.name).toBe(name)
  expect(operation.summary).toMatch(/^[A-Z].*\.$/)
})

test.each(all)('%s publishes what it takes and what it gives', async (_, operation) => {
  const { input, output } = await operation.schemas()
  expect(z.toJSONSchema(input, { unrepresentable: 'any', io: 'input' })).toMatchObject({ type: 'object' })
  const given = z.toJSONSchema(output, { unrepresentable: 'any' })
  expect(given.type ?? given.anyOf ?? given.oneOf).toBeDefined()
})
