/** Lists the tools for a client without loading the code of the tools. */
import type { Role, ToolEntry } from './tool.ts'
import { TOOLSET } from './toolset.ts'

/**
 * The tools of a role. Tools for a worker's own card have no argument for an id, because the worker has only one such
 * card.
 */
export const toolsFor = (role: Role): readonly object[] =>
  Object.entries(TOOLSET)
    .filter(([, { roles }]) => roles.includes(role))
    .map(([name, entry]) => listed(name, entry, role))

export const isTool = (name: string): boolean => Object.hasOwn(TOOLSET, name)

export const changesNothing = (name: string): boolean => TOOLSET[name]?.changesNothing ?? true

export const propertiesOf = (name: string): ToolEntry['properties'] => TOOLSET[name]?.properties ?? {}

function listed(
  name: string,
  { description, about, properties, required, changesNothing }: ToolEntry,
  role: Role,
): object {
  const { task, ...others } = properties
  const ownOnly = about === 'own' && role !== 'orchestrator' && role !== 'assistant'
  const mustName = about === 'named' || (about !== 'board' && role === 'assistant')
  const isShown = task !== undefined && !ownOnly
  return {
    name,
    description,
    inputSchema: {
      type: 'object',
      properties: isShown
        ? { task: mustName ? task : { ...task, description: 'Id of the card; default: yours' }, ...others }
        : others,
      ...(isShown && mustName ? { required: ['task', ...required] } : required.length > 0 ? { required } : {}),
    },
    ...(changesNothing ? { annotations: { readOnlyHint: true } } : {}),
  }
}
