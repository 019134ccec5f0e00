import { expect, test } from 'vitest'
import * as yaml from 'yaml'
import { readAgent } from '../../src/agents/agent.ts'
import { descriptionIn, withDescription } from '../../src/agents/describe-agent-file.ts'

const describe = (file: string, text: string, isByModel = false): string =>
  withDescription(file, { text, isByModel }, yaml) ?? ''

test.each([
  [
    'no description',
    '---\nharness: codex # fast\n---\nWork.\n',
    '---\ndescription: New\nharness: codex # fast\n---\nWork.\n',
  ],
  [
    'a description',
    '---\nharness: codex\ndescription: Old  # mine\nenv: [A]\n---\n',
    '---\nharness: codex\ndescription: New  # mine\nenv: [A]\n---\n',
  ],
  ['quotes', '---\ndescription: "Old: one"\nharness: codex\n---\n', '---\ndescription: New\nharness: codex\n---\n'],
  [
    'a block',
    '---\ndescription: >\n  Old\n  text\nharness: codex\n---\n',
    '---\ndescription: New\nharness: codex\n---\n',
  ],
  ['the last line', '---\nharness: codex\ndescription: Old\n---\n', '---\nharness: codex\ndescription: New\n---\n'],
])('a file with %s gets the new description, and the rest stays', (_, file, expected) => {
  expect(describe(file, 'New')).toBe(expected)
})

test('a description by a model is marked until a person writes one', () => {
  const file = describe('---\nharness: codex\n---\n', 'Writes: tests # and code', true)
  expect(descriptionIn(file, yaml)).toMatchObject({ text: 'Writes: tests # and code', isByModel: true })
  expect(readAgent(file, 'coder', yaml)).toMatchObject({ description: 'Writes: tests # and code' })
  const again = describe(file, 'Other', true)
  expect(again.match(/by a model/g)).toHaveLength(1)
  expect(descriptionIn(describe(again, 'Mine'), yaml)).toMatchObject({ text: 'Mine', isByModel: false })
})

test('a file without front matter is not changed', () => {
  expect(withDescription('Work.\n', { text: 'New', isByModel: false }, yaml)).toBeNull()
})
