import { expect, test } from 'vitest'
import { OPERATIONS } from '../../src/operations/index.ts'
import { ROUTES } from '../../src/http/routes/table.ts'
import { UNROUTED } from '../../src/http/routes/unrouted.ts'
import { openHttp } from '../helpers/http.ts'

test('every operation has a route, or a reason why it has no route', () => {
  const routed = new Set(ROUTES.map(({ operation }) => operation as string))
  const without = Object.keys(OPERATIONS).filter((name) => !routed.has(name))
  expect(without.toSorted()).toEqual(Object.keys(UNROUTED).toSorted())
  for (const reason of Object.values(UNROUTED)) expect(reason).toMatch(/^[A-Z].*\.$/)
})

test('no two routes have the same method and path', () => {
  const names = ROUTES.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, ':')}`)
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([])
})

test.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s takes its path parameters from the fields of its operation',
  async (_, { operation, path, fixed = {} }) => {
    const { input } = await OPERATIONS[operation].schemas()
    const fields = Object.keys((input as unknown as { shape: Record<string, unknown> }).shape)
    for (const [, name] of path.matchAll(/:(\w+)/g)) expect(fields).toContain(name)
    for (const name of Object.keys(fixed)) expect(fields).toContain(name)
  },
)

test('every route refuses a caller without a token', async () => {
  const { ask } = await openHttp()
  const open: string[] = []
  for (const { method, path } of ROUTES) {
    const request = `${method.toUpperCase()} ${path.replaceAll(/:\w+/g, 't_0000000000')}`
    if ((await ask(request, { token: null })).status !== 401) open.push(request)
  }
  expect(open).toEqual([])
})
