import { expect, test } from 'vitest'
import { schemaFault, valueFault } from '../../../src/file-helper/probes/json-schema.ts'

test.each<[schema: unknown, good: readonly unknown[], bad: readonly unknown[]]>([
  [true, [1, null], []],
  [false, [], [1]],
  [{ type: 'integer' }, [1, 1.0, -2], [1.5, '1', null]],
  [{ type: ['number', 'null'] }, [1, 1.5, null], ['1', true, []]],
  [{ const: { a: 1, b: [2] } }, [{ b: [2], a: 1 }], [{ a: 1 }, { a: 1, b: [3] }]],
  [{ minimum: 1, exclusiveMaximum: 3 }, [1, 2.9, 'text'], [0.9, 3]],
  [{ exclusiveMinimum: 1, maximum: 3 }, [1.1, 3], [1, 3.1]],
  [{ minLength: 2, maxLength: 3 }, ['ab', '😀😀😀'], ['a', 'abcd']],
  [{ pattern: '^t_' }, ['t_1', 5], ['x']],
  [{ minItems: 1, maxItems: 2, uniqueItems: true }, [[1], [1, 2]], [[], [1, 2, 3], [{ a: 1 }, { a: 1 }]]],
  [{ minProperties: 1, maxProperties: 1 }, [{ a: 1 }], [{}, { a: 1, b: 2 }]],
  [{ items: { type: 'string' } }, [[], ['a']], [['a', 1]]],
  [{ properties: { a: { type: 'string' } } }, [{}, { a: 'x' }, { b: 1 }], [{ a: 1 }]],
  [{ required: ['toString'] }, [{ toString: 1 }], [{}]],
  [{ additionalProperties: { type: 'number' }, properties: { a: true } }, [{ a: 'x', b: 1 }], [{ b: 'x' }]],
  [{ anyOf: [{ type: 'string' }, { minimum: 5 }] }, ['a', 5], [4]],
  [{ allOf: [{ type: 'number' }, { minimum: 5 }] }, [5], [4, 'a']],
])('the schema %j accepts valid values and rejects others', (schema, good, bad) => {
  expect(schemaFault(schema)).toBeNull()
  for (const value of good) expect(valueFault(schema, value)).toBeNull()
  for (const value of bad) expect(valueFault(schema, value)).toEqual(expect.any(String))
})

test('an unknown or malformed keyword is an error at any depth', () => {
  expect(schemaFault({ $ref: '#/x' })).toBe('the schema uses $ref at $, which is not supported')
  expect(schemaFault({ properties: { a: { format: 'date' } } })).toBe(
    'the schema uses format at $/properties, which is not supported',
  )
  expect(schemaFault({ additionalProperties: { oneOf: [] } })).toContain('uses oneOf')
  expect(schemaFault({ type: 'text' })).toBe("the schema's type at $ is not valid")
  expect(schemaFault({ pattern: '(' })).toContain('is not valid')
  expect(schemaFault({ maxItems: -1 })).toContain('maxItems')
  expect(schemaFault([])).toContain('neither an object')
  expect(schemaFault({ $schema: 'x', title: 't', description: 'd' })).toBeNull()
})
