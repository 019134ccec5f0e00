import { mkdirSync, readdirSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { removeAbandonedUploads } from '../../src/http/files/upload.ts'
import { openHttp } from '../helpers/http.ts'
import type { HttpTest } from '../helpers/http.ts'
import { MINUTE } from '../helpers/sample.ts'
import { testFolder } from '../helpers/stores.ts'

interface Uploaded {
  readonly id: string
  readonly filename: string
  readonly storedPath: string
}

async function cardWith(http: HttpTest, name: string, content: string, type = 'text/plain') {
  const { task } = (await http.ask('POST /api/tasks', { body: { title: 'A card' } })).json<{ task: { id: string } }>()
  const path = `/api/tasks/${task.id}/attachments`
  const reply = await http.ask(`POST ${path}?name=${encodeURIComponent(name)}`, {
    body: content,
    headers: { 'content-type': type },
  })
  return { path, reply, file: reply.json<Uploaded>() }
}

test('an upload is attached, listed and downloaded', async () => {
  const http = await openHttp()
  const { path, reply, file } = await cardWith(http, 'report.txt', 'All tests pass.')
  expect(reply.status).toBe(201)
  expect((await http.ask(`GET ${path}`)).json()).toMatchObject([{ filename: 'report.txt', size: 15 }])
  for (const name of [file.id, 'report.txt']) {
    const got = await http.ask(`GET ${path}/${name}`)
    expect([got.status, got.text]).toEqual([200, 'All tests pass.'])
    expect(got.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''report.txt")
  }
  expect(readdirSync(join(http.parts.target.options.home, 'uploads'))).toEqual([])
})

test('a download of a range contains only the bytes of that range', async () => {
  const http = await openHttp()
  const { path, file } = await cardWith(http, 'digits.txt', '0123456789')
  const ranges = { 'bytes=2-4': '234', 'bytes=8-': '89', 'bytes=-3': '789', 'bytes=5-100': '56789' }
  for (const [range, text] of Object.entries(ranges)) {
    const got = await http.ask(`GET ${path}/${file.id}`, { headers: { range } })
    expect([range, got.status, got.text]).toEqual([range, 206, text])
  }
  expect((await http.ask(`GET ${path}/${file.id}`, { headers: { range: 'bytes=10-' } })).status).toBe(416)
})

test('a range request for an older version of a file gets the whole file', async () => {
  const http = await openHttp()
  const { path, file } = await cardWith(http, 'digits.txt', '0123456789')
  const etag = (await http.ask(`GET ${path}/${file.id}`)).headers.get('etag') ?? ''
  const get = async (version: string) =>
    http.ask(`GET ${path}/${file.id}`, { headers: { range: 'bytes=2-4', 'if-range': version } })
  expect([(await get(etag)).status, (await get('"older"')).status]).toEqual([206, 200])
})

test.each([
  ['page.html', 'text/html'],
  ['picture.svg', 'image/svg+xml'],
])('a browser never shows the attachment %s as a page', async (name, type) => {
  const http = await openHttp()
  const { path, file } = await cardWith(http, name, '<script>alert(1)</script>', type)
  const { headers } = await http.ask(`GET ${path}/${file.id}`)
  expect(headers.get('content-type')).toBe('application/octet-stream')
  expect(headers.get('content-disposition')).toMatch(/^attachment/)
  expect(headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect(headers.get('x-content-type-options')).toBe('nosniff')
})

test('an upload over 25 MiB is refused and leaves no file', async () => {
  const http = await openHttp()
  const { reply } = await cardWith(http, 'big.bin', 'x'.repeat(26 * 1024 * 1024))
  expect(reply.json()).toMatchObject({ status: 413, code: 'too_large' })
})

test('the name of an upload cannot leave the folder of its card', async () => {
  const http = await openHttp()
  const { file } = await cardWith(http, '../../../etc/passwd', 'x')
  expect(file.filename).toBe('passwd')
  expect(file.storedPath).toMatch(/^t_\w+\/passwd$/)
})

test('an attachment that is missing or was replaced by a link is not found', async () => {
  const http = await openHttp()
  const { path, file } = await cardWith(http, 'a.txt', 'x')
  const { home } = http.parts.target.options
  const secret = join(home, 'secret')
  writeFileSync(secret, 'secret')
  const stored = join(home, 'boards', 'default', 'attachments', file.storedPath)
  unlinkSync(stored)
  const get = async () => (await http.ask(`GET ${path}/${file.id}`)).json()
  expect(await get()).toMatchObject({ status: 404, code: 'attachment_not_found' })
  symlinkSync(secret, stored)
  expect(await get()).toMatchObject({ status: 404, code: 'attachment_not_found' })
})

test('a signed URL downloads one file for a minute, without a token', async () => {
  const http = await openHttp()
  const { path, file } = await cardWith(http, 'a.txt', 'signed')
  const other = await cardWith(http, 'b.txt', 'other')
  const { url } = (await http.ask(`POST ${path}/${file.id}/link`)).json<{ url: string }>()
  const get = async (at: string) => http.ask(`GET ${at}`, { token: null })
  expect((await get(url)).text).toBe('signed')
  expect((await get(url.replace(file.id, other.file.id))).status).toBe(401)
  expect((await get(url.replace(/until=\d/, 'until=9'))).status).toBe(401)
  expect(
    (await get(url.replace(/signature=./, (start) => (start.endsWith('-') ? 'signature=_' : 'signature=-')))).status,
  ).toBe(401)
  await http.test.pass(2 * MINUTE)
  expect((await get(url)).status).toBe(401)
})

test('a signature for one file does not open another file', async () => {
  const http = await openHttp()
  const signed = await cardWith(http, 'a.txt', 'signed')
  const other = await cardWith(http, 'b.txt', 'other')
  const { url } = (await http.ask(`POST ${signed.path}/${signed.file.id}/link`)).json<{ url: string }>()
  const [, task = '', file = '', query = ''] = /^\/files\/(\w+)\/(\w+)\?(.*)$/.exec(url) ?? []
  const [, otherTask = ''] = /tasks\/(\w+)/.exec(other.path) ?? []
  const forged = `/files/${otherTask}/${other.file.id}?${query}&task=${task}&file=${file}`
  expect((await http.ask(`GET ${forged}`, { token: null })).status).toBe(401)
})

test('the files of uploads that a crash interrupted are deleted after a day', async () => {
  const home = testFolder()
  const folder = join(home, 'uploads')
  mkdirSync(folder)
  for (const name of ['old', 'new']) writeFileSync(join(folder, name), 'x')
  utimesSync(join(folder, 'old'), 1, 1)
  await removeAbandonedUploads(home, Date.now())
  expect(readdirSync(folder)).toEqual(['new'])
  await removeAbandonedUploads(join(home, 'nothing'), Date.now())
})
