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
    /** The file that made it one. */
    file: z.string(),
    /** Where that is kept; null: it belongs to a repository and stays where it is, no longer approved. */
    kept: z.string().nullable(),
    /** Who has its name from here on: an agent of a repository, or the one that is built in (no file). */
    successor: z.object({ file: z.string().nullable() }).nullable(),
    /** Cards that it leaves. */
    waiting: z.int().min(0),
  }),
})

export type RemovedAgent = OutputOf<typeof schemas>

/** What somebody wrote is not thrown away: the file stays beside the others, under a name that makes nobody an agent. */
export const removeAgent = defineOperation({
  name: 'agents remove',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Remove an agent; its file is kept aside. One of a repository is no longer approved.',
  schemas,
  run: async (context, { name }) => {
    const { home } = context.options
    const roster = await requireRoster(context)
    const agent = roster.agents.get(name)
    const found = agent?.file == null ? (brokenFileOf(name, roster) ?? agent) : agent
    if (found === undefined) throw noSuchAgent(name, roster.agents.keys())
    const { file } = found
    if (file === null)
      throw new BoardError('invalid_input', `Agent ${name} is built in, and stays.`, { details: { name } })
    const kept = dirname(file) === inHome.agents(home) ? await setAside(file) : null
    if (kept === null) await withdrawApproval(home, file)
    const left = (await requireRoster(context)).agents.get(name)
    const successor = left === undefined ? null : { file: left.file }
    return { name, file, kept, successor, waiting: (await countWaiting(context)).get(name) ?? 0 }
  },
})

/** One that was removed before gives way. */
async function setAside(file: string): Promise<string> {
  const kept = join(dirname(file), `.${basename(file)}.removed`)
  await rename(file, kept).catch((error: unknown) => {
    throw fileFault(error, dirname(file))
  })
  return kept
}
