import { rename } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { inHome } from '../../config/home.ts'
import { BoardError } from '../../core/errors.ts'
import { withdrawApproval } from '../../agents/approved-agents.ts'
import { brokenFileOf } from '../../agents/roster.ts'
import { fileFault } from '../../workspaces/managed-folder.ts'
import { countWaiting, noSuchAgent, requireRoster } from './agent-view.ts'
import { defineOperation } from '../shared/operation.ts'

/** What somebody wrote is not thrown away: the file stays beside the others, under a name that makes nobody an agent. */
export const removeAgent = defineOperation({
  name: 'agents remove',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Remove an agent; its file is kept aside. One of a repository is no longer approved.',
  schemas: () => import('./remove-agent.schema.ts'),
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
