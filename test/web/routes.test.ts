import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { siteRoutes } from '../../src/http/site/routes.ts'
import type { Site } from '../../src/http/site/read-site.ts'
import {
  agentPath,
  boardPath,
  boardShown,
  cardPath,
  inboxItemPath,
  planPath,
  ROUTES,
  seriesPath,
  settingsPath,
} from '../../web/src/routes/paths.ts'

const page = { type: 'text/html', etag: '"1"', isHashed: false, body: new Uint8Array(), gzip: null, brotli: null }
const site: Site = new Map([['/index.html', page]])

const paths = [
  ...Object.values(ROUTES).map((route) => route.replace(':board', 'default').replaceAll(/:\w+/g, 'x')),
  cardPath('my board', 't_1'),
  agentPath('claude'),
  planPath('my board', 't_1'),
  seriesPath('s_1'),
  settingsPath('boards'),
]

test.each(paths)('the server answers %s with the page of the app', async (path) => {
  const app = new Hono().route('/', siteRoutes({ site }))
  expect((await app.request(path)).status).toBe(200)
})

test('the first requests are for the board in the URL', () => {
  expect(boardShown(boardPath('내 보드'))).toBe('내 보드')
  expect(boardShown(cardPath('default', 't_1'))).toBe('default')
  expect([boardShown('/all'), boardShown('/'), boardShown(inboxItemPath('t_1'))]).toEqual([null, undefined, undefined])
})
