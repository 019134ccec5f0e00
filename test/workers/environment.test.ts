import { expect, test } from 'vitest'
import { allowedEnvironment, channelEnvironment, storeEnvironment } from '../../src/workers/environment.ts'
import { PARENTS_BYTES, parentsVariable } from '../../src/workers/parents.ts'
import { card } from '../helpers/sample.ts'

const env = {
  PATH: '/bin',
  LC_ALL: 'C',
  API_KEY: 'secret',
  MUSTER_STORE: 'postgres://',
  PGPASSWORD: 'x',
  NODE_OPTIONS: '',
}

test('only what is on the list reaches a worker', () => {
  expect(allowedEnvironment(env)).toEqual({ PATH: '/bin', LC_ALL: 'C' })
})

test('an agent may ask for a variable by name, but never for ours', () => {
  expect(allowedEnvironment(env, ['API_KEY', 'MUSTER_STORE'])).toEqual({ PATH: '/bin', LC_ALL: 'C', API_KEY: 'secret' })
})

test('a supervisor keeps the settings of the database client', () => {
  expect(storeEnvironment(env)).toEqual({ PGPASSWORD: 'x' })
})

test('the nonce stands in the environment only where the process itself is the worker', () => {
  const channel = { path: '/run/s', nonce: 'n' }
  expect(channelEnvironment(channel, { nonceInEnvironment: true })).toEqual({
    MUSTER_SOCKET: '/run/s',
    MUSTER_NONCE: 'n',
  })
  expect(channelEnvironment(channel, { nonceInEnvironment: false })).toEqual({ MUSTER_SOCKET: '/run/s' })
  expect(channelEnvironment(null, { nonceInEnvironment: true })).toEqual({})
  expect(allowedEnvironment({ MUSTER_NONCE: 'of another run' }, ['MUSTER_NONCE'])).toEqual({})
})

const note = (name: number, summary: string | null) => ({
  id: card(name),
  title: 'T',
  workspace: null,
  artifacts: [],
  summary,
})

test('parents fit into a variable: summaries go first, then the last parents', () => {
  expect(JSON.parse(parentsVariable([note(1, 'done')]))).toEqual([note(1, 'done')])
  const long = [note(1, 'x'.repeat(PARENTS_BYTES)), note(2, 'short')]
  expect(JSON.parse(parentsVariable(long))).toEqual([note(1, null), note(2, null)])
  const many = Array.from({ length: 1000 }, (_, at) => note(at, null))
  const text = parentsVariable(many)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(PARENTS_BYTES)
  expect((JSON.parse(text) as unknown[]).length).toBeGreaterThan(100)
})
