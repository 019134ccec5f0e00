import { basename } from 'node:path'
import { inHome } from '../../config/home.ts'
import { BoardError } from '../../core/errors.ts'
import { readWhole } from '../../util/read-whole.ts'
import { sha256 } from '../../util/sha256.ts'
import { readAgent } from '../../agents/agent.ts'
import { addApprovals, agentsOfRepository, isApproved, readApprovals } from '../../agents/approved-agents.ts'
import { folderWithAgents } from '../../agents/find-repository-agents.ts'
import { faultText } from '../../agents/front-matter.ts'
import { agentFiles } from '../../agents/roster.ts'
import type { Roster } from '../../agents/roster.ts'
import { requireRoster } from './agent-view.ts'
import { defineOperation } from '../shared/operation.ts'
import type { OutputOf, SchemaKit } from '../shared/operation.ts'
import { systemReason } from '../../util/system-errors.ts'

type Shown = Omit<RepositoryAgents['agents'][number], 'isApproved'>
type Unfit = RepositoryAgents['unfit'][number]

const schemas = ({ z, absolutePath, agentRights }: SchemaKit) => ({
  input: z.object({
    folder: absolutePath.describe('The repository'),
    yes: z.boolean().default(false).describe('Approve the agents as they are now'),
  }),
  output: z.object({
    folder: z.string(),
    agents: z
      .array(
        agentRights.extend({
          file: z.string(),
          instruction: z.string(),
          /** The hash of the file. The approval is valid only for a file with this hash. */
          sha256: z.string(),
          isApproved: z.boolean(),
        }),
      )
      .readonly(),
    /** The agents that cannot be approved, with the reason. */
    unfit: z
      .array(z.object({ name: z.string(), file: z.string(), problems: z.array(z.string()).readonly() }))
      .readonly(),
  }),
})

export type RepositoryAgents = OutputOf<typeof schemas>

/** Approves agent files. Each file is read only once, so that the approved text is exactly the text that was shown. */
export const approveAgents = defineOperation({
  name: 'agents approve',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Show the agents that a repository defines, and approve them.',
  schemas,
  run: async (context, { folder: asked, yes }) => {
    const { home } = context.options
    const nearest = await folderWithAgents(asked)
    const folder = nearest === null || agentsOfRepository(nearest) === inHome.agents(home) ? asked : nearest
    const found = await findAgents(folder, home, await requireRoster(context))
    const approvals = await readApprovals(home)
    const shown = found.flatMap((one) => ('sha256' in one ? [one] : []))
    const unfit = found.flatMap((one) => ('sha256' in one ? [] : [one]))
    if (shown.length === 0)
      throw refused(`Nothing can be approved: ${unfit.flatMap(({ problems }) => problems).join('; ')}.`)
    if (yes)
      await addApprovals(
        home,
        shown.map(({ file, sha256: hash }) => ({ file, sha256: hash })),
      )
    return { folder, agents: shown.map((one) => ({ ...one, isApproved: yes || isApproved(approvals, one) })), unfit }
  },
})

async function findAgents(folder: string, home: string, roster: Roster): Promise<readonly (Shown | Unfit)[]> {
  const from = agentsOfRepository(folder)
  const { files, fault } = await agentFiles(from)
  if (fault !== null) throw refused(`${fault}.`)
  if (files.length === 0 || from === inHome.agents(home))
    throw refused(`${folder} defines no agents. Add agent files to ${from}.`)
  return Promise.all(files.map((file) => readForApproval(file, roster)))
}

async function readForApproval(file: string, { agents, broken }: Roster): Promise<Shown | Unfit> {
  const stem = basename(file, '.md')
  const text = await readWhole(file).catch((error: NodeJS.ErrnoException) => error)
  if (typeof text !== 'string')
    return { name: stem, file, problems: [`${file} cannot be read (${systemReason(text)})`] }
  const read = readAgent(text, stem, await import('yaml'))
  if (!('name' in read)) return { name: stem, file, problems: read.map((fault) => faultText(file, fault)) }
  const other = agents.get(stem) ?? broken.get(stem)
  if (other !== undefined && other.file !== file) {
    const taken = `agent ${stem} already exists (${other.file ?? 'built in'}): rename one of them`
    return { name: stem, file, problems: [`${file}: ${taken}`] }
  }
  const { name, description, harness, args, env, account, permissions, tools, skills, setup, checks } = read
  const { model, provider, effort, instruction, activeHours, fallback } = read
  const rights = { harness, args, env, account, permissions, tools, skills, setup, checks, model, provider, effort }
  return { name, file, description, ...rights, activeHours, fallback, instruction, sha256: sha256(text) }
}

const refused = (message: string): BoardError =>
  new BoardError('invalid_input', message, { details: { field: 'folder' } })
