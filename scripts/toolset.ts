/** Generates src/mcp/toolset.ts: the description and a short schema of each tool, for a fast list of tools. */
import * as z from 'zod'
import { OPERATIONS } from '../src/operations/index.ts'
import type { Published } from '../src/operations/shared/operation.ts'
import { TOOLS } from '../src/mcp/tools.ts'
import type { JsonSchema, Tool } from '../src/mcp/tool.ts'

const CARD: JsonSchema = { type: 'string', description: 'Id of the card' }

export async function toolsetText(): Promise<string> {
  const rows: string[] = []
  for (const tool of TOOLS) rows.push(`  ${tool.name}: ${JSON.stringify(await entryOf(tool))},`)
  return `/** Made by \`npm run manifest\` from src/mcp/tools.ts and the schemas of the operations. */
import type { ToolEntry } from './tool.ts'

// prettier-ignore
export const TOOLSET: Readonly<Record<string, ToolEntry>> = {
${rows.join('\n')}
}
`
}

async function entryOf(tool: Tool): Promise<object> {
  const fields = await fieldsOf(tool)
  const properties = Object.entries(tool.arguments).map(([name, said]) => [name, schemaOf(tool, name, said, fields)])
  return {
    description: tool.description,
    roles: tool.roles,
    about: tool.about,
    properties: { ...(tool.about === 'board' ? {} : { task: CARD }), ...Object.fromEntries(properties) },
    required: tool.required ?? [],
    changesNothing: tool.changesNothing ?? false,
  }
}

async function fieldsOf({ name, operation }: Tool): Promise<Readonly<Record<string, z.ZodType>>> {
  const table: Readonly<Record<string, Published>> = OPERATIONS
  const found = table[operation]
  if (found === undefined) throw new Error(`${name} uses the operation ${operation}, which does not exist`)
  const { input } = await found.schemas()
  return input instanceof z.ZodObject ? input.shape : {}
}

function schemaOf(
  { name: tool }: Tool,
  name: string,
  said: Tool['arguments'][string],
  fields: Readonly<Record<string, z.ZodType>>,
): JsonSchema {
  if (typeof said === 'object') return said
  const field = fields[name]
  if (field === undefined) throw new Error(`${tool} has the argument ${name}, but its operation has no such field`)
  const description = said === '' ? field.description : said
  if (description === undefined) throw new Error(`${tool} has no description of ${name}`)
  return { ...inBrief(z.toJSONSchema(field, { io: 'input' }) as Whole), description }
}

type Type = JsonSchema['type'] | 'null'
interface Whole extends Omit<JsonSchema, 'type' | 'items'> {
  readonly type?: Type | readonly Type[]
  readonly items?: Whole
  readonly anyOf?: readonly Whole[]
}

/** Keeps only types and choices; the operation enforces limits and formats. */
function inBrief(schema: Whole): JsonSchema {
  const real = schema.anyOf?.find(({ type }) => type !== 'null')
  if (real !== undefined) return inBrief(real)
  const { enum: choices, items } = schema
  const type = [schema.type].flat().find((one) => one !== 'null')
  return {
    ...(type === undefined ? {} : { type }),
    ...(choices === undefined ? {} : { enum: choices }),
    ...(items === undefined ? {} : { items: inBrief(items) }),
  }
}
