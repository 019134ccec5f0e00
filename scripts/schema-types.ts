/** Writes the TypeScript types of zod schemas, through their JSON Schemas. */
import * as z from 'zod'

export interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly items?: Schema
  readonly prefixItems?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly propertyNames?: Schema
  readonly description?: string
  readonly not?: Schema
}

type Direction = 'input' | 'output'

export class SchemaTypes {
  readonly #lists: ReadonlyMap<string, string>
  readonly #registry = z.registry<z.GlobalMeta>()
  readonly #declared = new Map<string, string>()
  #defs: Readonly<Record<string, Schema>> = {}

  /** `lists` are the values of types with a name, and `named` are the schemas with a name. */
  constructor(lists: Readonly<Record<string, readonly string[]>>, named: ReadonlyMap<z.ZodType, string>) {
    this.#lists = new Map(Object.entries(lists).map(([name, values]) => [keyOf(values), name]))
    for (const [schema, id] of named) this.#registry.add(schema, { ...z.globalRegistry.get(schema), id })
  }

  schemaOf(schema: z.ZodType, io: Direction): Schema {
    const options = { io, unrepresentable: 'any', metadata: this.#registry, override: keepMeta } as const
    const { $defs = {}, ...rest } = z.toJSONSchema(schema, options) as Schema
    this.#defs = $defs
    return rest
  }

  /** The type as text. Its lines after the first one are indented by `depth` levels. */
  typeOf(schema: Schema, io: Direction, depth = 0): string {
    if (schema.$ref !== undefined) return this.#named(schema.$ref.replace('#/$defs/', ''), io, depth)
    if (schema.const !== undefined) return literal(schema.const)
    if (schema.enum !== undefined) return this.#lists.get(keyOf(schema.enum)) ?? union(schema.enum)
    const variants = schema.anyOf ?? schema.oneOf
    if (variants !== undefined) return [...new Set(variants.map((one) => this.typeOf(one, io, depth)))].join(' | ')
    if (schema.allOf !== undefined) return schema.allOf.map((one) => `(${this.typeOf(one, io, depth)})`).join(' & ')
    if (schema.not !== undefined) return 'never'
    const kinds = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? [])
    if (kinds.length === 0) return 'unknown'
    return kinds.map((kind) => this.#plain(kind, schema, { io, depth })).join(' | ')
  }

  declarations(): readonly string[] {
    return [...this.#declared].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text)
  }

  #plain(kind: string, schema: Schema, { io, depth }: { io: Direction; depth: number }): string {
    switch (kind) {
      case 'integer':
      case 'number':
        return 'number'
      case 'array':
        return this.#array(schema, io, depth)
      case 'object':
        return this.#object(schema, io, depth)
      default:
        return kind
    }
  }

  #array({ items = {}, prefixItems }: Schema, io: Direction, depth: number): string {
    if (prefixItems !== undefined)
      return `readonly [${prefixItems.map((one) => this.typeOf(one, io, depth)).join(', ')}]`
    const type = this.typeOf(items, io, depth)
    return `readonly ${/^\w+$/.test(type) ? type : `(${type})`}[]`
  }

  #object(schema: Schema, io: Direction, depth: number): string {
    const { properties, required = [], additionalProperties, propertyNames } = schema
    const fields = Object.entries(properties ?? {})
    if (fields.length === 0) {
      if (typeof additionalProperties !== 'object') return 'Readonly<Record<string, never>>'
      const keys = propertyNames === undefined ? 'string' : this.typeOf(propertyNames, io, depth)
      const record = `Record<${keys}, ${this.typeOf(additionalProperties, io, depth)}>`
      return keys === 'string' || required.length > 0 ? `Readonly<${record}>` : `Readonly<Partial<${record}>>`
    }
    const indent = '  '.repeat(depth + 1)
    const lines = fields.map(([name, field]) => {
      const comment = field.description === undefined ? '' : `${indent}/** ${field.description}. */\n`
      const isOptional = !required.includes(name)
      const type = `${this.typeOf(field, io, depth + 1)}${isOptional ? ' | undefined' : ''}`
      return `${comment}${indent}readonly ${name}${isOptional ? '?' : ''}: ${type}`
    })
    return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`
  }

  /** A scalar is written in place, because a name for each would make the types harder to read. */
  #named(id: string, io: Direction, depth: number): string {
    const schema = this.#defs[id]
    if (schema === undefined) throw new Error(`the schema ${id} is not defined`)
    if (isRecursive(id, schema)) return this.#declare('JsonValue', JSON_VALUE)
    if (!isComposite(schema)) return this.typeOf(schema, io, depth)
    const text = this.typeOf(schema, io)
    const declaration = (name: string): string =>
      text.startsWith('{') && text.endsWith('}') && !/^\}/m.test(text.slice(0, -1))
        ? `export interface ${name} ${text}`
        : `export type ${name} = ${text}`
    const name = [id, `${id}Input`].find(
      (free) => (this.#declared.get(free) ?? declaration(free)) === declaration(free),
    )
    if (name === undefined) throw new Error(`two schemas are called ${id}`)
    return this.#declare(name, declaration(name))
  }

  #declare(name: string, text: string): string {
    this.#declared.set(name, text)
    return name
  }
}

/** Any JSON value is the only type that contains itself. */
const JSON_VALUE =
  'export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue }'

function isRecursive(id: string, schema: Schema): boolean {
  if (!JSON.stringify(schema).includes(`"#/$defs/${id}"`)) return false
  if (schema.anyOf?.length === 6) return true
  throw new Error(`the schema ${id} contains itself`)
}

const isComposite = ({ type, properties, anyOf, oneOf }: Schema): boolean =>
  (type === 'object' && properties !== undefined) ||
  [...(anyOf ?? []), ...(oneOf ?? [])].some((one) => one.type === 'object' && one.properties !== undefined)

/** Keeps the description and the values that a schema has in the registry of the library. */
function keepMeta({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: object }): void {
  const { description, ...meta } = z.globalRegistry.get(zodSchema) ?? {}
  Object.assign(jsonSchema, meta, description === undefined ? {} : { description })
}

const keyOf = (values: readonly unknown[]): string => JSON.stringify(values.map(String).toSorted())

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", String.raw`\'`)}'` : JSON.stringify(value)

export const union = (values: readonly unknown[]): string => values.map(literal).join(' | ')
