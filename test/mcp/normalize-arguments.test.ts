import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BoardError } from '../../src/core/errors.ts'
import { normalizeArguments } from '../../src/mcp/normalize-arguments.ts'
import type { JsonSchema } from '../../src/mcp/tool.ts'

const PROPERTIES: Readonly<Record<string, JsonSchema>> = {
  task: { type: 'string' },
  parent: { type: 'string' },
  summary: { type: 'string' },
  kind: { type: 'string', enum: ['needs_input', 'capability'] },
  artifacts: { type: 'array', items: { type: 'string' } },
  metadata: { type: 'object' },
  limit: { type: 'integer' },
  archived: { type: 'boolean' },
  idempotencyKey: { type: 'string' },
}

describe('common mistakes of models are corrected', () => {
  test.each<[string, object, object]>([
    ['a lone string for a list', { artifacts: '/tmp/a' }, { artifacts: ['/tmp/a'] }],
    ['a list as JSON text', { artifacts: '["/a", "/b"]' }, { artifacts: ['/a', '/b'] }],
    ['an object as JSON text', { metadata: '{"tests": 3}' }, { metadata: { tests: 3 } }],
    ['a number in quotes', { limit: ' 20 ' }, { limit: 20 }],
    ['yes in quotes', { archived: 'Yes' }, { archived: true }],
    ['0 for no', { archived: 0 }, { archived: false }],
    ['a number for a text', { summary: 7 }, { summary: '7' }],
    ['a number in a list of texts', { artifacts: [1, 'b'] }, { artifacts: ['1', 'b'] }],
    ['snake_case', { idempotency_key: 'k' }, { idempotencyKey: 'k' }],
    ['an _id suffix', { parent_id: 't_1' }, { parent: 't_1' }],
    ['a singular name for a list', { artifact: '/a' }, { artifacts: ['/a'] }],
    ['task_id for the card', { task_id: 't_1' }, { task: 't_1' }],
    ['cardId for the card', { cardId: 't_1' }, { task: 't_1' }],
    ['id for the card', { id: 't_1' }, { task: 't_1' }],
    ['null and empty text for an absent value', { summary: null, kind: '', metadata: ' ' }, {}],
    ['a choice with other case and hyphens', { kind: 'Needs-Input' }, { kind: 'needs_input' }],
  ])('%s is corrected', (_, given, meant) => {
    expect(normalizeArguments(given, PROPERTIES)).toEqual(meant)
  })

  test('JSON text and missing arguments are accepted', () => {
    expect(normalizeArguments('{"summary": "done"}', PROPERTIES)).toEqual({ summary: 'done' })
    expect(normalizeArguments(undefined, PROPERTIES)).toEqual({})
    expect(normalizeArguments(null, PROPERTIES)).toEqual({})
  })
})

describe('other mistakes are not corrected', () => {
  test.each([[['a']], ['just words'], [7], [true]])('%j is not an object and is refused', (given) => {
    expect(() => normalizeArguments(given, PROPERTIES)).toThrow('must be one object')
  })

  test('the same argument under two names is refused', () => {
    expect(() => normalizeArguments({ task: 't_1', task_id: 't_2' }, PROPERTIES)).toThrow('task was given twice')
  })

  test.each<[string, object]>([
    ['plain text for an object', { metadata: 'three tests' }],
    ['text for a number', { limit: 'many' }],
    ['text for a boolean', { archived: 'maybe' }],
    ['an unknown choice', { kind: 'tired' }],
    ['an object for a text', { summary: { text: 'x' } }],
    ['an unknown argument', { colour: 'red' }],
  ])('%s is not changed', (_, given) => {
    expect(normalizeArguments(given, PROPERTIES)).toEqual(given)
  })
})

const validArguments = fc.record(
  {
    task: fc.string(),
    summary: fc.string(),
    kind: fc.constantFrom('needs_input', 'capability'),
    artifacts: fc.array(fc.string()),
    metadata: fc.dictionary(fc.string(), fc.jsonValue()),
    limit: fc.integer(),
    archived: fc.boolean(),
  },
  { requiredKeys: [] },
)
const hasContent = (value: unknown): boolean => typeof value !== 'string' || value.trim() !== ''

test('valid arguments are not changed, whatever they contain', () => {
  fc.assert(
    fc.property(validArguments, (given) => {
      const said = Object.fromEntries(Object.entries(given).filter(([, value]) => hasContent(value)))
      expect(normalizeArguments(given, PROPERTIES)).toEqual(said)
    }),
  )
})

test('normalizing twice gives the same result', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(PROPERTIES), 'other'), fc.jsonValue()), (given) => {
      const once = normalizeArguments(given, PROPERTIES)
      expect(normalizeArguments(once, PROPERTIES)).toEqual(once)
    }),
  )
})

test('names such as __proto__ are ordinary arguments', () => {
  for (const name of ['__proto__', 'constructor', 'toString'])
    expect(Object.keys(normalizeArguments(JSON.parse(`{"${name}": {"x": 1}}`), PROPERTIES))).toEqual([name])
  expect({}).not.toHaveProperty('x')
})

test('any JSON is either accepted or refused with a message', () => {
  const outcome = (given: unknown): unknown => {
    try {
      return typeof normalizeArguments(given, PROPERTIES)
    } catch (error) {
      return error instanceof BoardError ? error.code : error
    }
  }
  fc.assert(fc.property(fc.jsonValue(), (given) => ['object', 'invalid_input'].includes(outcome(given) as string)))
})
