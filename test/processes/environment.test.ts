import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import {
  allowedEnvironment,
  socketEnvironment,
  storeEnvironment,
  supervisorEnvironment,
} from '../../src/processes/environment.ts'
import type { Environment } from '../../src/config/environment.ts'
import { programNames, withheldKeys, withoutKeys } from '../../src/harnesses/gateway-keys.ts'
import { PARENTS_BYTES, parentFolders, parentsVariable } from '../../src/runs/parents.ts'
import { card } from '../helpers/sample.ts'
import { testFolder } from '../helpers/stores.ts'

const env = {
  PATH: '/bin',
  LC_ALL: 'C',
  API_KEY: 'secret',
  MUSTER_STORE: 'postgres://',
  PGPASSWORD: 'x',
  NODE_OPTIONS: '',
}

test('a worker gets only the allowed variables', () => {
  expect(allowedEnvironment(env)).toEqual({ PATH: '/bin', LC_ALL: 'C' })
})

test('an agent gets the variables that its file names, except those of Muster', () => {
  expect(allowedEnvironment(env, ['API_KEY', 'MUSTER_STORE'])).toEqual({ PATH: '/bin', LC_ALL: 'C', API_KEY: 'secret' })
})

test.each([
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'ALL_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_SYSTEM_CA',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'CODEX_CA_CERTIFICATE',
  'CLAUDE_CODE_CERT_STORE',
  'CLAUDE_CODE_CLIENT_CERT',
  'ANTHROPIC_BASE_URL',
  'OPENAI_BASE_URL',
  'GOOGLE_GEMINI_BASE_URL',
  'CODE_ASSIST_ENDPOINT',
])('the variable %s reaches every agent through its supervisor', (name) => {
  const value = { [name]: 'x' }
  expect(allowedEnvironment(value)).toEqual(value)
  expect(allowedEnvironment(supervisorEnvironment(value, []))).toEqual(value)
})

test('a supervisor starts without the variables that slow the start of Node', () => {
  const started = supervisorEnvironment({ NODE_EXTRA_CA_CERTS: '/ca.pem', NODE_USE_SYSTEM_CA: '1', PATH: '/bin' }, [])
  expect(started).toMatchObject({ PATH: '/bin' })
  expect(Object.keys(started).filter((name) => name.startsWith('NODE_'))).toEqual([])
  expect(storeEnvironment({ NODE_EXTRA_CA_CERTS: '/ca.pem' })).toEqual({ NODE_EXTRA_CA_CERTS: '/ca.pem' })
})

test('an agent that gets a gateway key also gets the address of the gateway', () => {
  const gateway = {
    ACME_API_KEY: 'k',
    ACME_BASE_URL: 'https://gate',
    GH_TOKEN: 't',
    GH_HOST: 'git.acme',
    OTHER_HOST: 'h',
  }
  expect(allowedEnvironment(gateway, ['ACME_API_KEY', 'GH_TOKEN'])).toEqual({
    ACME_API_KEY: 'k',
    ACME_BASE_URL: 'https://gate',
    GH_TOKEN: 't',
    GH_HOST: 'git.acme',
  })
  expect(allowedEnvironment(gateway)).toEqual({})
  expect(allowedEnvironment({ MUSTER_TOKEN: 't', MUSTER_HOST: 'h' }, ['MUSTER_TOKEN'])).toEqual({})
})

test('a program that ignores the address of a gateway does not get the key of that gateway', () => {
  const google = { GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: 'https://gate' }
  const anthropic = { ANTHROPIC_AUTH_TOKEN: 'k', ANTHROPIC_BASE_URL: 'https://gate' }
  const names = (program: string, given: Environment): readonly string[] =>
    withheldKeys([program], given).map(({ key }) => key)
  expect(names('opencode', google)).toEqual(['GEMINI_API_KEY'])
  expect(names('/usr/bin/opencode', google)).toEqual(['GEMINI_API_KEY'])
  expect(names('opencode', { ...google, GOOGLE_GEMINI_BASE_URL: '' })).toEqual([])
  expect(names('opencode', anthropic)).toEqual([])
  expect(names('hermes', anthropic)).toEqual(['ANTHROPIC_AUTH_TOKEN'])
  for (const program of ['claude', 'gemini', 'codex', 'other'])
    expect(names(program, { ...google, ...anthropic })).toEqual([])
  expect(withoutKeys(google, withheldKeys(['opencode'], google))).toEqual({ GOOGLE_GEMINI_BASE_URL: 'https://gate' })
})

test("a program that ignores a gateway does not get the gateway's key, even behind a wrapper", () => {
  const google = { GEMINI_API_KEY: 'k', GOOGLE_GEMINI_BASE_URL: 'https://gate' }
  const folder = testFolder()
  const link = join(folder, 'my-agent')
  writeFileSync(join(folder, 'opencode'), '#!/bin/sh\n', { mode: 0o755 })
  symlinkSync('opencode', link)
  const isWithheld = (harness: string, ...args: string[]): boolean =>
    withheldKeys(programNames(harness, args, '/usr/bin:/bin'), google).length > 0
  for (const args of [
    ['npx', 'opencode', 'acp'],
    ['npx', '-y', 'opencode-ai@1.2.3', 'acp'],
    ['env', 'A=b', '/opt/bin/opencode', 'acp'],
    ['sh', '-c', 'cd /srv && exec opencode run'],
    [link, 'acp'],
  ])
    for (const harness of ['acp', 'command'])
      expect([harness, args, isWithheld(harness, ...args)]).toEqual([harness, args, true])
  expect(isWithheld('command', 'npx', 'gemini', '--acp')).toBe(false)
  expect(isWithheld('claude', '--append-system-prompt', 'compare with opencode')).toBe(false)
})

test('a supervisor gets the settings of the database client', () => {
  expect(storeEnvironment(env)).toEqual({ PGPASSWORD: 'x' })
})

test('only an agent with nonceInEnvironment gets the nonce as a variable', () => {
  const socket = { path: '/run/s', nonce: 'n', lateFolder: '/late' }
  expect(socketEnvironment(socket, { nonceInEnvironment: true })).toEqual({
    MUSTER_SOCKET: '/run/s',
    MUSTER_LATE_FOLDER: '/late',
    MUSTER_NONCE: 'n',
  })
  expect(socketEnvironment(socket, { nonceInEnvironment: false })).toEqual({
    MUSTER_SOCKET: '/run/s',
    MUSTER_LATE_FOLDER: '/late',
  })
  expect(socketEnvironment(null, { nonceInEnvironment: true })).toEqual({})
  expect(allowedEnvironment({ MUSTER_NONCE: 'of another run' }, ['MUSTER_NONCE'])).toEqual({})
})

const note = (name: number, summary: string | null) => ({
  id: card(name),
  title: 'T',
  workspace: null,
  artifacts: [],
  summary,
})

test('a list of parents that is too long leaves out summaries first, then parents', () => {
  expect(JSON.parse(parentsVariable([note(1, 'done')]))).toEqual([note(1, 'done')])
  const long = [note(1, 'x'.repeat(PARENTS_BYTES)), note(2, 'short')]
  expect(JSON.parse(parentsVariable(long))).toEqual([note(1, null), note(2, null)])
  const many = Array.from({ length: 1000 }, (_, at) => note(at, null))
  const text = parentsVariable(many)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(PARENTS_BYTES)
  expect((JSON.parse(text) as unknown[]).length).toBeGreaterThan(100)
})

test('the variable of parent folders leaves out folders that do not fit', () => {
  const at = (workspace: string | null) => ({ ...note(1, null), workspace })
  expect(parentFolders([at('/a'), at(null), at('/b')])).toEqual(['/a', '/b'])
  expect(parentFolders([at('/a'), at('/bb'), at('/c')], 6)).toEqual(['/a'])
})

test('each parent in the list is converted to JSON at most twice', () => {
  let written = 0
  const artifacts = Object.assign([], { toJSON: () => ((written += 1), []) })
  const many = Array.from({ length: 2000 }, (_, at) => ({ ...note(at, null), artifacts }))
  parentsVariable(many)
  expect(written).toBeLessThanOrEqual(2 * many.length)
})
