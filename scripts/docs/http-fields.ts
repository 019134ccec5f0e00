import { openApiDocument } from '../../src/http/openapi.ts'
import { cell, code, table } from './markdown.ts'

interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly description?: string
  readonly default?: unknown
}

interface Endpoint {
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly required: boolean
    readonly description?: string
    readonly schema: Schema
  }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

interface Field {
  readonly name: string
  readonly isRequired: boolean
  readonly schema: Schema
}

/** A section for each request that takes fields, with the fields of its query or its body. */
export async function httpFields(): Promise<string[]> {
  const { paths } = (await openApiDocument('')) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Endpoint>>>>
  }
  const endpoints = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, endpoint]) => ({ path, method, fields: fieldsOf(endpoint) })),
  )
  return endpoints
    .filter(({ fields }) => fields.length > 0)
    .flatMap(({ path, method, fields }) => [
      '',
      `## ${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
      ...table(['Field', 'Type', 'Meaning'], fields.map(rowOf)),
    ])
}

/** The board is left out, because every request may name one. */
function fieldsOf({ parameters = [], requestBody }: Endpoint): readonly Field[] {
  const inQuery = parameters
    .filter((one) => one.in === 'query' && one.name !== 'board')
    .map(({ name, required, description, schema }) => ({
      name,
      isRequired: required,
      schema: { ...(description !== undefined && { description }), ...schema },
    }))
  const { properties = {}, required = [] } = requestBody?.content['application/json']?.schema ?? {}
  const inBody = Object.entries(properties).map(([name, schema]) => ({
    name,
    isRequired: required.includes(name),
    schema,
  }))
  return [...inQuery, ...inBody]
}

function rowOf({ name, isRequired, schema }: Field): readonly string[] {
  const { description = '', default: preset } = schema
  const hasDefault = preset !== undefined && preset !== null && typeof preset !== 'object'
  const notes = [description, isRequired ? 'required' : '', hasDefault ? `default: ${JSON.stringify(preset)}` : '']
  return [code(name), cell(typeOf(schema)), cell(notes.filter((note) => note !== '').join('; '))]
}

/** The type in a few words. The OpenAPI document has the details. */
function typeOf({ type, enum: values, anyOf, items }: Schema): string {
  if (values !== undefined) return values.map((value) => code(String(value))).join(', ')
  if (anyOf !== undefined) return [...new Set(anyOf.map(typeOf))].join(' or ')
  if (items !== undefined) return `list of ${typeOf(items)}`
  return [type ?? 'any'].flat().map(nameOf).join(' or ')
}

const NAMES: Readonly<Record<string, string>> = { string: 'text', integer: 'whole number', boolean: 'true or false' }
const nameOf = (type: string): string => NAMES[type] ?? type
