/** A client that knows only the OpenAPI document. */
import { expect, test } from 'vitest'
import { ROUTES } from '../../src/http/routes/table.ts'
import { openHttp } from '../helpers/http.ts'

interface Described {
  readonly operationId: string
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly 'x-muster-operation'?: string
}
interface Document {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>
}

test('the document describes every route once, with its path parameters', async () => {
  const { ask } = await openHttp()
  const { openapi, paths } = (await ask('GET /api/openapi.json')).json<Document>()
  expect(openapi).toBe('3.1.0')
  for (const { method, path } of ROUTES)
    expect(paths[path.replaceAll(/:(\w+)/g, '{$1}')]?.[method]).toMatchObject({ operationId: expect.any(String) })
  const items = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map((item) => ({ path, item })),
  )
  const ids = items.map(({ item }) => item.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { path, item } of items) {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
    if (item.operationId.startsWith('many-')) continue
    expect([path, (item.parameters ?? []).filter((one) => one.in === 'path').map(({ name }) => name)]).toEqual([
      path,
      names,
    ])
  }
})

test('a client that reads only the document creates, follows and completes a card', async () => {
  const { ask } = await openHttp()
  const { paths } = (await ask('GET /api/openapi.json')).json<Document>()
  const find = (operation: string): { method: string; path: string } => {
    for (const [path, methods] of Object.entries(paths))
      for (const [method, item] of Object.entries(methods))
        if (item['x-muster-operation'] === operation && !item.operationId.startsWith('many-')) return { method, path }
    throw new Error(`no ${operation}`)
  }
  const call = async (operation: string, values: Record<string, string>, body?: object) => {
    const { method, path } = find(operation)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
    return ask(`${method.toUpperCase()} ${filled}`, body === undefined ? {} : { body })
  }
  const { task } = (await call('create', {}, { title: 'A card' })).json<{ task: { id: string } }>()
  expect((await call('complete', { task: task.id }, { summary: 'Done' })).status).toBe(200)
  expect((await call('show', { task: task.id })).json()).toMatchObject({ status: 'done' })
  const kinds = (await call('tail', { task: task.id })).text.trim().split('\n')
  expect(kinds.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual(['created', 'completed'])
})
