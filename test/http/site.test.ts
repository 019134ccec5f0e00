/** Tests the pages and files of the dashboard. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readSite } from '../../src/http/site/read-site.ts'
import { openHttp } from '../helpers/http.ts'
import { testFolder } from '../helpers/stores.ts'

const HTML = { accept: 'text/html,*/*' }

test.each(['/', '/b/default/t_1', '/needs-you', '/agents/claude', '/settings', '/sign-in'])(
  'the URL %s shows the dashboard without a session',
  async (path) => {
    const { ask } = await openHttp()
    const reply = await ask(`GET ${path}`, { token: null, headers: HTML })
    expect([reply.status, reply.text]).toEqual([200, '<p>The dashboard</p>'])
    expect(reply.headers.get('cache-control')).toBe('no-cache')
    expect(reply.headers.get('content-security-policy')).toContain("script-src 'self'")
  },
)

test('a page at another host name shows the remedy in the language of the browser', async () => {
  const { ask } = await openHttp()
  const headers = { ...HTML, host: 'muster.example', 'accept-language': 'fr, zh-CN;q=0.8, en;q=0.5' }
  const reply = await ask('GET /b/default', { token: null, headers })
  expect([reply.status, reply.headers.get('content-type')]).toEqual([403, 'text/html; charset=utf-8'])
  expect(reply.text).toContain('muster open')
  expect(reply.text).toContain('Muster 不通过此地址提供服务')
  expect(reply.headers.get('content-security-policy')).toContain("default-src 'none'")
  const program = await ask('GET /api/tasks', { headers: { host: 'muster.example' } })
  expect(program.json()).toMatchObject({ status: 403, code: 'not_allowed' })
})

test('a file with a hash in its name may be cached forever', async () => {
  const { ask } = await openHttp()
  const reply = await ask('GET /assets/main-1a2b.js', { token: null })
  expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  expect(reply.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
})

test('a browser with a cached page gets an answer without a body', async () => {
  const { ask } = await openHttp()
  const etag = (await ask('GET /', { token: null })).headers.get('etag') ?? ''
  const again = await ask('GET /needs-you', { token: null, headers: { 'if-none-match': etag } })
  expect([again.status, again.text]).toEqual([304, ''])
})

test.each([
  ['gzip, deflate, br', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['identity', null],
  ['', null],
])('with Accept-Encoding "%s", the encoding is %s', async (accepted, encoding) => {
  const { ask } = await openHttp()
  const reply = await ask('GET /', { token: null, headers: { 'accept-encoding': accepted } })
  expect(reply.headers.get('content-encoding')).toBe(encoding)
  expect(reply.headers.get('vary')).toBe('accept-encoding')
})

test('a wrong URL shows people the dashboard and gives programs a problem document', async () => {
  const { ask } = await openHttp()
  const page = await ask('GET /wrong', { token: null, headers: HTML })
  expect([page.status, page.text]).toEqual([404, '<p>The dashboard</p>'])
  const problem = await ask('GET /wrong', { token: null })
  expect([problem.status, problem.json()['code']]).toEqual([404, 'route_not_found'])
  for (const path of ['/api/wrong', '/assets/old.js', '/files/x'])
    expect((await ask(`GET ${path}`, { headers: HTML })).headers.get('content-type')).toContain('json')
})

test('the server reads the files of the build with their compressed copies', async () => {
  const folder = testFolder()
  mkdirSync(join(folder, 'assets'))
  for (const [name, text] of Object.entries({
    'index.html': 'page',
    'index.html.br': 'small page',
    'assets/a-1.js': 'code',
    'manifest.json': '{}',
    '.built': 'stamp',
  }))
    writeFileSync(join(folder, name), text)
  const site = await readSite(folder)
  expect([...site.keys()].toSorted()).toEqual(['/assets/a-1.js', '/index.html'])
  const page = site.get('/index.html')
  expect([String(page?.brotli), page?.gzip, page?.isHashed]).toEqual(['small page', null, false])
  expect(site.get('/assets/a-1.js')?.isHashed).toBe(true)
})

test('an installation without a dashboard explains that it has none', async () => {
  const { parts, ask } = await openHttp({ site: await readSite(join(testFolder(), 'missing')) })
  expect(parts.site.size).toBe(0)
  expect((await ask('GET /', { token: null })).json()['detail']).toContain('has no dashboard')
})
