import { expect, test } from 'vitest'
import { cutLog } from '../../src/runs/log/bound-log.ts'
import { openHttp } from '../helpers/http.ts'
import type { HttpTest } from '../helpers/http.ts'
import { openRunLog } from '../helpers/run-log.ts'

async function openLog(http: HttpTest, output: string): Promise<{ path: string; log: string }> {
  const { path, log } = await openRunLog(http, output)
  return { path: `${path}/log`, log }
}

const rangeOf = ({ ask }: HttpTest, path: string, range: string) => ask(`GET ${path}`, { headers: { range } })

test.each([
  ['bytes=2-4', '234', 'bytes 2-4/10'],
  ['bytes=8-', '89', 'bytes 8-9/10'],
  ['bytes=-3', '789', 'bytes 7-9/10'],
  ['bytes=5-100', '56789', 'bytes 5-9/10'],
])('the range %s of a log contains only the bytes of that range', async (range, text, contentRange) => {
  const http = await openHttp()
  const { path } = await openLog(http, '0123456789')
  const reply = await rangeOf(http, path, range)
  expect([reply.status, reply.text, reply.headers.get('content-range')]).toEqual([206, text, contentRange])
})

test('a range after the end of a log is refused with the length of the log', async () => {
  const http = await openHttp()
  const { path } = await openLog(http, '0123456789')
  const reply = await rangeOf(http, path, 'bytes=10-')
  expect([reply.status, reply.headers.get('content-range')]).toEqual([416, 'bytes */10'])
})

test('a client that accepts only text gets the bytes of a log, and others get JSON', async () => {
  const http = await openHttp()
  const output = `${'<script>alert(1)</script>'.repeat(100_000)}\n`
  const { path } = await openLog(http, output)
  const text = await http.ask(`GET ${path}`, { headers: { accept: 'text/plain' } })
  expect([text.status, text.text === output, text.headers.get('content-type')]).toEqual([
    200,
    true,
    'text/plain; charset=utf-8',
  ])
  expect(text.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox")
  expect((await http.ask(`GET ${path}`)).json()).toMatchObject({ text: output, truncated: false })
})

test('a range that begins in a cut part of a log starts after that part', async () => {
  const http = await openHttp()
  const lines = Array.from({ length: 40_000 }, (_, at) => `line ${at}\n`).join('')
  const { path, log } = await openLog(http, lines)
  await cutLog(log, { maxBytes: 64 * 1024 })
  const whole = await http.ask(`GET ${path}`, { headers: { accept: 'text/plain' } })
  const [head = '', omitted = '', tail = ''] = whole.text.split(/\n\[… (\d+) bytes left out …\]\n/)
  expect(head.length + Number(omitted) + tail.length).toBe(lines.length)
  const start = await rangeOf(http, path, `bytes=0-${lines.length}`)
  expect([start.status, start.text]).toEqual([206, head])
  const middle = await rangeOf(http, path, `bytes=${head.length}-`)
  expect([middle.status, middle.text]).toEqual([206, tail])
  expect(middle.headers.get('content-range')).toBe(
    `bytes ${head.length + Number(omitted)}-${lines.length - 1}/${lines.length}`,
  )
})

test('the bytes of a log need a token', async () => {
  const http = await openHttp()
  const { path } = await openLog(http, 'x')
  expect((await http.ask(`GET ${path}`, { token: null, headers: { range: 'bytes=0-' } })).status).toBe(401)
})
