/** Tests that the hand-written parser of `register` and the schemas accept the same inputs. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { taskId, text } from '../../../src/core/input/fields.ts'
import { inputFault } from '../../../src/core/input/input-fault.ts'
import { fenceSchema, identitySchema } from '../../../src/core/run.ts'
import { register } from '../../../src/core/transitions/register.ts'

const path = text.nullable().default(null)
const schema = z.object({
  task: taskId,
  fence: fenceSchema,
  identity: identitySchema,
  logPath: path,
  socketPath: path,
  workspacePath: path,
  host: path,
})

const odd = fc.oneof(
  fc.string(),
  fc.constantFrom<unknown>(null, undefined, '', '  ', 'a\0b', '\ud800', 0, 1, 1.5, [], {}),
)
const line = fc.oneof(
  { weight: 9, arbitrary: fc.string({ minLength: 1, unit: 'grapheme' }) },
  { weight: 1, arbitrary: odd },
)
const given = fc.record(
  {
    task: fc.oneof({ weight: 9, arbitrary: fc.constant('t_0123456789') }, { weight: 1, arbitrary: odd }),
    fence: fc.oneof(
      {
        weight: 9,
        arbitrary: fc.record({
          runId: fc.oneof({ weight: 9, arbitrary: fc.constant('r_0123456789') }, { weight: 1, arbitrary: odd }),
          tokenHash: line,
        }),
      },
      { weight: 1, arbitrary: odd },
    ),
    identity: fc.oneof(
      {
        weight: 9,
        arbitrary: fc.record({
          machine: line,
          bootId: line,
          pidNamespace: fc.oneof(line, fc.constant(null)),
          pid: fc.oneof({ weight: 9, arbitrary: fc.nat() }, { weight: 1, arbitrary: odd }),
          startTime: line,
          more: odd,
        }),
      },
      { weight: 1, arbitrary: odd },
    ),
    logPath: fc.oneof(line, fc.constant(null)),
    socketPath: line,
    workspacePath: line,
    host: line,
  },
  { requiredKeys: ['task', 'fence', 'identity'] },
)

it('the hand-written parser returns the same result as the schema', () => {
  let taken = 0
  fc.assert(
    fc.property(given, (input) => {
      const [ours, theirs] = [register.input.safeParse(input), schema.safeParse(input)]
      if (ours.success) taken += 1
      expect({ success: ours.success, data: ours.success && ours.data }).toEqual({
        success: theirs.success,
        data: theirs.success && theirs.data,
      })
    }),
    { numRuns: 2_000 },
  )
  expect(taken).toBeGreaterThan(200)
})

it('an error for invalid input names the field and has a code', () => {
  const sound = {
    task: 't_0123456789',
    fence: { runId: 'r_0123456789', tokenHash: 'hash' },
    identity: { machine: 'm', bootId: 'b', pidNamespace: null, pid: 5, startTime: '1' },
  }
  const faultOf = (input: unknown) => {
    const checked = register.input.safeParse(input)
    return checked.success ? null : inputFault(checked.error, {}).toJSON()
  }
  expect(faultOf(sound)).toBeNull()
  expect(faultOf({ ...sound, logPath: 'a\0b' })).toMatchObject({ code: 'bad_text', details: { field: 'logPath' } })
  expect(faultOf({ ...sound, identity: { ...sound.identity, pid: 0 } })).toMatchObject({
    code: 'invalid_input',
    details: { field: 'identity.pid' },
  })
  expect(faultOf(null)).toMatchObject({ code: 'invalid_input' })
})
