/** Tests the OpenAPI document, and a client that knows only this document. */
import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { ROUTES } from '../../src/http/routes/table.ts'
import { openHttp } from '../helpers/http.ts'
import { DocumentClient, readDocument } from './document-client.ts'

test('the OpenAPI document describes every route once, with its path parameters', async () => {
  const { openapi, paths } = await readDocument(await openHttp())
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

test('the OpenAPI document is valid OpenAPI 3.1', async () => {
  const validator = new Validator()
  const { valid, errors } = await validator.validate({ ...(await readDocument(await openHttp())) })
  expect([validator.version, errors, valid]).toEqual(['3.1', undefined, true])
})

test('a client that reads only the OpenAPI document can create, follow and complete a card', async () => {
  const client = await DocumentClient.open(await openHttp())
  const feed = await client.follow(/^Follow the events of all boards/, { values: { kinds: 'created,completed' } })
  const { task } = await client.call<{ task: { id: string } }>(/^Create a card\.$/, { body: { title: 'A card' } })
  const values = { task: task.id }
  expect((await feed.nextEvent())?.data).toMatchObject({ kind: 'created', taskId: task.id })
  await client.call(/^Complete a card\.$/, { values, body: { summary: 'Done' } })
  expect((await feed.nextEvent())?.data).toMatchObject({ kind: 'completed', taskId: task.id })
  await feed.cancel()
  expect(await client.call(/^Show a card with/, { values })).toMatchObject({ status: 'done', result: 'Done' })
})
