import { appendFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { RowView } from '../../src/operations/runs/row-views.ts'
import { openHttp } from '../helpers/http.ts'
import { openRunLog } from '../helpers/run-log.ts'

interface Page {
  readonly total: number
  readonly settled: number
  readonly from: number
  readonly isLive: boolean
  readonly rows: readonly RowView[]
  readonly matches: readonly number[] | null
}

const linesIn = (count: number): string => Array.from({ length: count }, (_, at) => `line ${at}\n`).join('')
const textsOf = ({ rows }: Page): readonly string[] =>
  rows.flatMap((row) => (row.kind === 'output' ? [row.text.text] : []))

test('a page of the transcript has the requested rows, or the last rows without a position', async () => {
  const http = await openHttp()
  const { path } = await openRunLog(http, linesIn(1_000))
  const page = async (query: string): Promise<Page> => (await http.ask(`GET ${path}/transcript/rows?${query}`)).json()
  const first = await page('from=0&limit=3')
  // The first row of the transcript is the event of the claim.
  expect([first.total, first.from, textsOf(first), first.isLive]).toEqual([1_001, 0, ['line 0', 'line 1'], true])
  expect(first.rows[0]).toMatchObject({ n: 0, kind: 'event', event: { kind: 'claimed' } })
  const last = await page('limit=2')
  expect([last.from, textsOf(last)]).toEqual([999, ['line 998', 'line 999']])
  expect((await page('from=5000')).rows).toEqual([])
})

test('the rows of a growing log continue with times from the supervisor', async () => {
  const http = await openHttp()
  const { path, log } = await openRunLog(http, 'one\ntwo\n')
  writeFileSync(`${log}.times`, '1700000000000 4\n1700000009000 8\n')
  const read = async (): Promise<Page> => (await http.ask(`GET ${path}/transcript/rows?show=all`)).json()
  const before = await read()
  expect(before.rows.filter(({ kind }) => kind === 'output').map(({ at }) => at)).toEqual([
    1_700_000_000_000, 1_700_000_009_000,
  ])
  appendFileSync(log, 'three')
  const open = await read()
  expect([open.total - before.total, open.settled]).toEqual([1, before.total])
  appendFileSync(log, ' more\n')
  const closed = await read()
  expect([closed.total, closed.settled, textsOf(closed).at(-1)]).toEqual([open.total, open.total, 'three more'])
})

test('a search returns the positions of rows, even for texts too long for a row', async () => {
  const http = await openHttp()
  const { path } = await openRunLog(http, `a Needle\n${'x'.repeat(9_000)}needle\nhay\n`)
  const found = (await http.ask(`GET ${path}/transcript/rows?find=NEEDLE&limit=0`)).json<Page>()
  expect([found.matches, found.rows]).toEqual([[1, 2], []])
  const messages = (await http.ask(`GET ${path}/transcript/rows?find=needle&show=messages`)).json<Page>()
  expect([messages.matches, messages.total]).toEqual([[], 1])
})

test('a separate request returns the whole text of a row', async () => {
  const http = await openHttp()
  const long = `${'y'.repeat(60_000)} end`
  const { path } = await openRunLog(http, `${long}\n`)
  const text = (await http.ask(`GET ${path}/transcript/text?row=1&part=text`)).json()
  expect(text).toEqual({ text: long, length: long.length, isWhole: true })
  expect((await http.ask(`GET ${path}/transcript/text?row=1&part=input`)).status).toBe(400)
})
