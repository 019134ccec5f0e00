import { rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { inHome } from '../../config/home.ts'
import { BoardError } from '../../core/errors.ts'
import { withdrawApproval } from '../../agents/approved-agents.ts'
import { brokenFileOf } from '../../agents/roster.ts'
import { fileFault } from '../../workspaces/managed-folder.ts'
import { countWaiting, noSuchAgent, requireRoster } from './agent-view.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'

const schemas = ({ z, name }: SchemaKit) => ({
  input: z.object({ name: name.describe('The agent') }),
  output: z.object({
    name: z.string(),
    /** The agent file. */
    file: z.string(),
    /**
     * The new path of the file. This is null for an agent in a repository: its file stays but is no longer approved.
     */
    kept: z.string().nullable(),
    /**
     * The agent that has this name after the removal, such as a built-in agent, whose file is null. Null means that no
     * agent has the name.
     */
    successor: z.object({ file: z.string().nullable() }).nullable(),
    /** The number of cards that still wait for this name. */
    waiting: z.int().min(0),
  }),
})

export type RemovedAgent = OutputOf<typeof schemas>

/** Removes an agent. Its file is renamed and not deleted, because a person wrote it. */
export const removeAgent = defineOperation({
  name: 'agents remove',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary:
    'Remove an agent, and keep its file under another name. For a repository agent, withdraw the approval instead.',
  schemas,
  run: async (context, { name }) => {
    const { home } = context.options
    const roster = await requireRoster(context)
    const agent = roster.agents.get(name)
    const found = agent?.file == null ? (brokenFileOf(name, roster) ?? agent) : agent
    if (found === undefined) throw noSuchAgent(name, roster.agents.keys())
    const { file } = found
    if (file === null)
      throw new BoardError('invalid_input', `Agent ${name} is built in and cannot be removed.`, { details: { name } })
    const kept = dirname(file) === inHome.agents(home) ? await keepRemovedFile(file) : null
    if (kept === null) await withdrawApproval(home, file)
    const left = (await requireRoster(context)).agents.get(name)
    const successor = left === undefined ? null : { file: left.file }
    return { name, file, kept, successor, waiting: (await countWaiting(context)).get(name) ?? 0 }
  },
})

/** Renames the file. If an agent with the same name was removed earlier, its kept file is overwritten. */
async function keepRemovedFile(file: string): Promise<string> {
  const kept = join(dirname(file), `.${basename(file)}.removed`)
  await rename(file, kept).catch((error: unknown) => {
    throw fileFault(error, dirname(file))
  })
  return kept
}
