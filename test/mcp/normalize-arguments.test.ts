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
    ['numbers in quotes', { limit: ' 20 ' }, { limit: 20 }],
    ['yes and no in quotes', { archived: 'Yes' }, { archived: true }],
    ['0 for no', { archived: 0 }, { archived: false }],
    ['a number for a text', { summary: 7 }, { summary: '7' }],
    ['numbers in a list of texts', { artifacts: [1, 'b'] }, { artifacts: ['1', 'b'] }],
    ['snake_case', { idempotency_key: 'k' }, { idempotencyKey: 'k' }],
    ['an id behind a name', { parent_id: 't_1' }, { parent: 't_1' }],
    ['one where several are meant', { artifact: '/a' }, { artifacts: ['/a'] }],
    ['other words for the card', { task_id: 't_1' }, { task: 't_1' }],
    ['still others', { cardId: 't_1' }, { task: 't_1' }],
    ['and the shortest', { id: 't_1' }, { task: 't_1' }],
    ['nulls and empty texts for what is left out', { summary: null, kind: '', metadata: ' ' }, {}],
    ['a choice in other letters', { kind: 'Needs-Input' }, { kind: 'needs_input' }],
  ])('%s', (_, given, meant) => {
    expect(normalizeArguments(given, PROPERTIES)).toEqual(meant)
  })

  test('JSON text and missing arguments are accepted', () => {
    expect(normalizeArguments('{"summary": "done"}', PROPERTIES)).toEqual({ summary: 'done' })
    expect(normalizeArguments(undefined, PROPERTIES)).toEqual({})
    expect(normalizeArguments(null, PROPERTIES)).toEqual({})
  })
})

describe('ambiguous arguments are refused', () => {
  test.each([[['a']], ['just words'], [7], [true]])('%j is not an object and is refused', (given) => {
    expect(() => normalizeArguments(given, PROPERTIES)).toThrow('must be one object')
  })

  test('the same argument under two names is refused', () => {
    expect(() => normalizeArguments({ task: 't_1', task_id: 't_2' }, PROPERTIES)).toThrow('task was given twice')
  })

  test.each<[string, object]>([
    ['text that is no JSON for an object', { metadata: 'three tests' }],
    ['words for a number', { limit: 'many' }],
    ['words for yes or no', { archived: 'maybe' }],
    ['a choice that is none', { kind: 'tired' }],
    ['an object for a text', { summary: { text: 'x' } }],
    ['a name that nobody knows', { colour: 'red' }],
  ])('%s stays as it is', (_, given) => {
    expect(normalizeArguments(given, PROPERTIES)).toEqual(given)
  })
})

const right = fc.record(
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
const saysSomething = (value: unknown): boolean => typeof value !== 'string' || value.trim() !== ''

test('valid arguments are not changed, whatever they contain', () => {
  fc.assert(
    fc.property(right, (given) => {
      const said = Object.fromEntries(Object.entries(given).filter(([, value]) => saysSomething(value)))
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

test('no argument has the name of an object’s built-in property', () => {
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
