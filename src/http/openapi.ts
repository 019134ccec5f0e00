/** Builds the OpenAPI 3.1 document from the routes and from the schemas of their operations. */
import * as z from 'zod'
import { scopeNeeded } from '../operations/shared/access.ts'
import { operationNamed } from '../operations/shared/perform.ts'
import type { AnyOperation } from '../operations/shared/perform.ts'
import { OTHER_PATHS, PROBLEM } from './other-paths.ts'
import { pathOfMany } from './routes/mount.ts'
import { ROUTES } from './routes/table.ts'
import type { Route } from './routes/table.ts'
import { SharedSchemas } from './shared-schemas.ts'

type Json = Readonly<Record<string, unknown>>

interface Shapes {
  readonly input: Json
  readonly output: Json
}

export async function openApiDocument(version: string): Promise<Json> {
  const paths: Record<string, Record<string, Json>> = structuredClone(OTHER_PATHS)
  const shared = new SharedSchemas()
  for (const route of ROUTES) {
    const operation = operationNamed(route.operation)
    if (operation === undefined) continue
    const shapes = await shapesOf(operation, shared)
    add(paths, route.path, route.method, describe(route, operation, shapes))
    if (route.many === true) add(paths, pathOfMany(route), 'post', describeMany(route, operation, shapes))
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Muster', version, description: 'The HTTP API of a Muster board.' },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'A token of `muster tokens create`.' },
      },
      schemas: { Problem: PROBLEM, ...shared.schemas },
      responses: {
        Problem: {
          description: 'An error. `code` names it.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  }
}

const templateOf = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}')

function add(paths: Record<string, Record<string, Json>>, path: string, method: string, item: Json): void {
  ;(paths[templateOf(path)] ??= {})[method] = item
}

async function shapesOf(operation: AnyOperation, shared: SharedSchemas): Promise<Shapes> {
  const { input, output } = await operation.schemas()
  const shape = (schema: z.ZodType, io: 'input' | 'output'): Json => {
    const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
    return shared.lift(rest)
  }
  return { input: shape(input, 'input'), output: shape(output, 'output') }
}

function describe(route: Route, operation: AnyOperation, { input, output }: Shapes): Json {
  const properties = (input['properties'] ?? {}) as Record<string, Json>
  const required = (input['required'] ?? []) as readonly string[]
  const inPath = [...route.path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  const hidden = new Set([...inPath, 'board', ...Object.keys(route.fixed ?? {})])
  const free = Object.entries(properties).filter(([name]) => !hidden.has(name))
  const isRead = route.method === 'get' || route.method === 'delete'
  const content = operation.kind === 'stream' ? 'application/x-ndjson' : 'application/json'
  return {
    operationId: idOf(route),
    summary: route.summary ?? operation.summary,
    'x-muster-operation': operation.name,
    'x-muster-scope': scopeNeeded(operation),
    parameters: [
      ...inPath.map((name) => parameter(name, 'path', { schema: properties[name] ?? {}, required: true })),
      parameter('board', 'query', { schema: { type: 'string' }, required: false }),
      ...(isRead ? free : []).map(([name, schema]) =>
        parameter(name, 'query', { schema, required: required.includes(name) }),
      ),
    ],
    ...(isRead ? {} : bodyOf(free, required)),
    responses: {
      [String(route.status ?? 200)]: { description: 'Success', content: { [content]: { schema: output } } },
      default: { $ref: '#/components/responses/Problem' },
    },
  }
}

const idOf = ({ method, path }: Route): string =>
  [method, ...path.split('/').slice(2)].map((part) => part.replace(':', 'by-')).join('-')

const parameter = (
  name: string,
  place: 'path' | 'query',
  { schema, required }: { schema: Json; required: boolean },
) => ({
  name,
  in: place,
  required,
  schema,
})

const bodyOf = (fields: readonly (readonly [string, Json])[], required: readonly string[]): Json => ({
  requestBody: {
    required: fields.some(([name]) => required.includes(name)),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: Object.fromEntries(fields),
          required: fields.map(([name]) => name).filter((name) => required.includes(name)),
        },
      },
    },
  },
})

function describeMany(route: Route, operation: AnyOperation, { input, output }: Shapes): Json {
  const properties = (input['properties'] ?? {}) as Record<string, Json>
  const required = (input['required'] ?? []) as readonly string[]
  const tasks: Json = { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 500 }
  const free = Object.entries(properties).filter(([name]) => name !== 'task')
  const result = {
    oneOf: [
      { type: 'object', properties: { id: { type: 'string' }, ok: { const: true }, task: output } },
      {
        type: 'object',
        properties: { id: { type: 'string' }, ok: { const: false }, error: { $ref: '#/components/schemas/Problem' } },
      },
    ],
  }
  return {
    operationId: `many-${operation.name}`,
    summary: `${operation.summary.replace(/\.$/, '')}: several cards, with a result for each.`,
    'x-muster-operation': operation.name,
    'x-muster-scope': scopeNeeded(operation),
    ...bodyOf([['tasks', tasks], ...free], ['tasks', ...required]),
    responses: {
      200: { description: 'Success', content: { 'application/json': { schema: { type: 'array', items: result } } } },
      default: { $ref: '#/components/responses/Problem' },
    },
  }
}
