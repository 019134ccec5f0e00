import { PROMPTS } from '../../src/mcp/prompts.ts'
import { ROLES } from '../../src/mcp/tool.ts'
import { TOOLSET } from '../../src/mcp/toolset.ts'
import type { JsonSchema, ToolEntry } from '../../src/mcp/tool.ts'
import { cell, code, table } from './markdown.ts'

export const toolRoles = (): string[] =>
  table(
    ['Tool', ...ROLES],
    Object.entries(TOOLSET).map(([name, { roles }]) => [
      `[\`${name}\`](#${name})`,
      ...ROLES.map((role) => (roles.includes(role) ? '✓' : '')),
    ]),
  )

export const toolArguments = (): string[] =>
  Object.entries(TOOLSET).flatMap(([name, tool]) => ['', `### ${name}`, '', tool.description, ...argumentsOf(tool)])

const argumentsOf = ({ properties, required }: ToolEntry): string[] =>
  table(
    ['Argument', 'Type', 'Meaning'],
    Object.entries(properties).map(([name, schema]) => [
      `${code(name)}${required.includes(name) ? ' (required)' : ''}`,
      typeOf(schema),
      cell(schema.description ?? ''),
    ]),
  )

function typeOf({ type, enum: choices, items }: JsonSchema): string {
  if (choices !== undefined) return choices.map(code).join(', ')
  return type === 'array' ? `array of ${items?.type ?? 'values'}s` : (type ?? '')
}

export const prompts = (): string[] =>
  table(
    ['Prompt', 'Arguments', 'Meaning'],
    PROMPTS.map(({ name, arguments: args, description }) => [
      code(name),
      args.map((arg) => code(arg.name)).join(', '),
      cell(description),
    ]),
  )
