import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { inHome } from '../config/home.ts'
import { BoardError } from '../core/errors.ts'
import { sha256 } from '../util/sha256.ts'
import { readAgent } from '../workers/agent.ts'
import { addApprovals, agentsOfRepository, isApproved, readApprovals } from '../workers/approved-agents.ts'
import { faultText } from '../workers/front-matter.ts'
import { agentFiles, readRoster } from '../workers/roster.ts'
import type { RepositoryAgents } from './approve-agents.schema.ts'
import { defineOperation } from './operation.ts'

type Shown = RepositoryAgents['agents'][number]

/** What is approved is what is answered: each file is read once. */
export const approveAgents = defineOperation({
  name: 'agents approve',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Show the agents that a repository brings, and let them work here.',
  schemas: () => import('./approve-agents.schema.ts'),
  run: async ({ options: { home }, env }, { folder, yes }) => {
    const files = await agentFiles(agentsOfRepository(folder))
    if (files.length === 0 || agentsOfRepository(folder) === inHome.agents(home))
      throw refused(`${folder} brings no agents: there would be files in ${agentsOfRepository(folder)}.`)
    const { agents: known, broken } = await readRoster(home, env)
    const approvals = await readApprovals(home)
    const agents: Shown[] = []
    for (const file of files) {
      const agent = await show(file)
      const other = known.get(agent.name) ?? broken.get(agent.name)
      if (other !== undefined && other.file !== file)
        throw refused(
          `${file}: there is an agent ${agent.name} already (${other.file ?? 'built in'}): rename one of them.`,
        )
      agents.push({ ...agent.shown, isApproved: yes || isApproved(approvals, file, agent.text) })
    }
    if (yes) await addApprovals(home, agents)
    return { folder, agents }
  },
})

async function show(file: string) {
  const text = await readFile(file, 'utf8')
  const read = readAgent(text, basename(file, '.md'), await import('yaml'))
  if (!('name' in read))
    throw refused(`Nothing is approved: ${read.map((fault) => faultText(file, fault)).join('; ')}.`)
  const { name, description, harness, args, env, account, permissions, tools, skills, setup, checks } = read
  const { model, provider, effort, instruction } = read
  const rights = { harness, args, env, account, permissions, tools, skills, setup, checks, model, provider, effort }
  return { name, text, shown: { name, file, description, ...rights, instruction, sha256: sha256(text) } }
}

const refused = (message: string): BoardError =>
  new BoardError('invalid_input', message, { details: { field: 'folder' } })
