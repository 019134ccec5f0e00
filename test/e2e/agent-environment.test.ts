// Tests with real processes, from the dispatcher to the agent, which variables of the user's environment an agent gets.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeTestHome } from '../helpers/cli.ts'

const NETWORK = {
  HTTPS_PROXY: 'http://proxy.acme:3128',
  no_proxy: 'localhost,.acme',
  NODE_EXTRA_CA_CERTS: '/etc/acme/ca.pem',
  SSL_CERT_FILE: '/etc/acme/ca.pem',
  ANTHROPIC_BASE_URL: 'https://gateway.acme',
}

/**
 * Saves the environment of the script, and that of the supervisor, which is the parent of the wrapper. Only Linux shows
 * the environment of another process.
 */
const BODY = `env > agent.txt
supervisor=$(ps -o ppid= -p "$PPID" | tr -d ' ')
tr '\\0' '\\n' < "/proc/$supervisor/environ" > supervisor.txt 2>/dev/null || true`

test('an agent gets network settings, but its supervisor gets no certificates', async () => {
  const home = makeTestHome('sqlite')
  const card = await home.create('look', '--assignee', 'shell', '--body', BODY)
  const env = { ...NETWORK, ANTHROPIC_AUTH_TOKEN: 'secret' }
  await home.start(['dispatch', '--wait'], { env }).ended
  expect((await home.show(card.id)).status).toBe('done')
  const seen = (file: string): readonly string[] => readFileSync(home.workspace(card.id, file), 'utf8').split('\n')
  expect(seen('agent.txt')).toEqual(
    expect.arrayContaining(Object.entries(NETWORK).map(([name, value]) => `${name}=${value}`)),
  )
  expect(seen('agent.txt').join('\n')).not.toMatch(/secret|MUSTER_CARRIED/)
  expect(seen('supervisor.txt').filter((line) => line.startsWith('NODE_EXTRA_CA_CERTS'))).toEqual([])
})
