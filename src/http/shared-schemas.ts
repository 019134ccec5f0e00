/**
 * The schemas to which other schemas of the OpenAPI document refer. A reference starts at the root of the document, so
 * zod's own definitions inside each schema would not be found.
 */
type Json = Readonly<Record<string, unknown>>

const PREFIX = '#/$defs/'

export class SharedSchemas {
  /** The names of the definitions, by the text of the definition. */
  readonly #names = new Map<string, string>()
  readonly #schemas: Record<string, unknown> = {}

  get schemas(): Json {
    return this.#schemas
  }

  /** Returns the schema without its definitions. Its references point to the shared schemas. */
  lift({ $defs = {}, ...schema }: Json & { readonly $defs?: unknown }): Json {
    const definitions = Object.entries($defs as Json)
    const names = new Map(definitions.map(([key, definition]) => [key, this.#nameOf(JSON.stringify(definition))]))
    for (const [key, definition] of definitions) this.#schemas[names.get(key) ?? key] = renamed(definition, names)
    return renamed(schema, names) as Json
  }

  #nameOf(text: string): string {
    const name = this.#names.get(text) ?? `Shared${this.#names.size + 1}`
    this.#names.set(text, name)
    return name
  }
}

const renamed = (value: unknown, names: ReadonlyMap<string, string>): unknown =>
  JSON.parse(JSON.stringify(value), (key, part: unknown) =>
    key === '$ref' && typeof part === 'string' && part.startsWith(PREFIX)
      ? `#/components/schemas/${names.get(part.slice(PREFIX.length))}`
      : part,
  )
