import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { readNamed } from '../../util/guarded-files.ts'
import { BoardError } from '../../core/errors.ts'
import { readAgent } from '../../agents/agent.ts'
import { faultText, readFrontMatter } from '../../agents/front-matter.ts'
import { readRoster } from '../../agents/roster.ts'
import { agentExists, writeAgentFile } from './agent-file.ts'
import { noSuchAgent, viewAgents } from './agent-view.ts'
import { defineOperation } from '../shared/operation.ts'
import { systemReason } from '../../util/system-errors.ts'

/** The maximum size of an agent file. Every run pays for the tokens of the instruction, so no useful file is larger. */
const MOST_BYTES = 1024 ** 2

export const importAgent = defineOperation({
  name: 'agents import',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Add an agent from an exported file.',
  schemas: ({ z, absolutePath, agentView }) => ({
    input: z.object({
      from: absolutePath.describe('The agent file'),
      force: z.boolean().default(false).describe('Overwrite an agent of the same name'),
    }),
    output: agentView,
  }),
  run: async ({ options: { home }, env }, { from, force }) => {
    const text = await readAgentText(from)
    const yaml = await import('yaml')
    const front = readFrontMatter(text, yaml)
    const given = 'entries' in front ? front.entries.get('name')?.value : undefined
    const name = typeof given === 'string' && given.trim() !== '' ? given.trim() : basename(from).replace(/\.md$/, '')
    const read = readAgent(text, name, yaml)
    if (!('name' in read)) throw invalidFile(from, read)
    const wrote = await writeAgentFile(home, name, text, { replaces: force })
    if (!wrote.written) throw agentExists(wrote, 'To overwrite it, add --force.')
    const agents = await viewAgents(home, await readRoster(home, env), new Map())
    const added = agents.find((agent) => agent.name === name)
    if (added === undefined) throw noSuchAgent(name, [])
    return added
  },
})

async function readAgentText(path: string): Promise<string> {
  try {
    const file = await stat(path)
    // Only a regular file is read, because reading a pipe or a device may never end.
    if (!file.isFile()) throw unreadable(path, file.isDirectory() ? 'it is a folder' : 'it is not a file')
    if (file.size > MOST_BYTES) throw unreadable(path, 'it is larger than 1 MiB, the limit for an agent file')
    return (await readNamed(path)).toString()
  } catch (error) {
    if (error instanceof BoardError) throw error
    const { code } = error as NodeJS.ErrnoException
    throw unreadable(path, code === 'ENOENT' ? 'it does not exist' : systemReason(error))
  }
}

const unreadable = (path: string, why: string): BoardError =>
  new BoardError('invalid_input', `${path} cannot be read: ${why}.`, { details: { path } })

function invalidFile(path: string, faults: Exclude<ReturnType<typeof readAgent>, { name: string }>): BoardError {
  const problems = faults.map((fault) => faultText(basename(path), fault)).join('; ')
  const { line, field } = faults[0] ?? { line: 1, field: null }
  return new BoardError('invalid_input', `Nothing was imported: ${problems}.`, { details: { path, line, field } })
}
