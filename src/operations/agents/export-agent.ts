import { basename, dirname } from 'node:path'
import { readFile, writeFile } from '../../util/guarded-files.ts'
import { BoardError } from '../../core/errors.ts'
import { faultText, readFrontMatter } from '../../agents/front-matter.ts'
import { brokenFileOf } from '../../agents/roster.ts'
import { fileFault } from '../../workspaces/managed-folder.ts'
import { noSuchAgent, requireRoster } from './agent-view.ts'
import { defineOperation } from '../shared/operation.ts'

export const exportAgent = defineOperation({
  name: 'agents export',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Write an agent as one file, for use on another machine.',
  schemas: ({ z, absolutePath, name }) => ({
    input: z.object({
      name: name.describe('The agent'),
      to: absolutePath.optional().describe('The file to write'),
    }),
    output: z.object({
      name: z.string(),
      /** The whole agent file, including the name of the agent, in the form that `agents import` reads. */
      text: z.string(),
      /** The path of the written file. Null means that no file was written. */
      path: z.string().nullable(),
    }),
  }),
  run: async (context, { name, to }) => {
    const roster = await requireRoster(context)
    const broken = brokenFileOf(name, roster)
    const [fault] = broken?.faults ?? []
    if (broken !== null && fault !== undefined)
      throw refused(name, `fix its file first: ${faultText(basename(broken.file), fault)}`)
    const agent = roster.agents.get(name)
    if (agent === undefined) throw noSuchAgent(name, roster.agents.keys())
    if (agent.file === null) throw refused(name, 'it is built in on every machine')
    const text = withName(await readFile(agent.file, 'utf8'), name, await import('yaml'))
    if (to !== undefined) await writeOut(to, text)
    return { name, text, path: to ?? null }
  },
})

const refused = (name: string, why: string): BoardError =>
  new BoardError('invalid_input', `Agent ${name} was not exported: ${why}.`, { details: { name } })

/** Adds the agent's name to its file, because the exported file may have any file name. */
function withName(text: string, name: string, yaml: Parameters<typeof readFrontMatter>[1]): string {
  const front = readFrontMatter(text, yaml)
  const entry = 'entries' in front ? front.entries.get('name') : undefined
  const lines = text.split('\n')
  // A name in the file must be the name of this agent. Otherwise the file would not be valid.
  if (entry === undefined) lines.splice(1, 0, `name: ${name}`)
  else lines[entry.lineOf() - 1] = `name: ${name}`
  return lines.join('\n')
}

async function writeOut(to: string, text: string): Promise<void> {
  try {
    await writeFile(to, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const details = { path: to }
    if (code === 'EEXIST')
      throw new BoardError('invalid_input', `${to} already exists. Choose another name.`, { details })
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new BoardError('invalid_input', `Folder ${dirname(to)} does not exist. Create it first.`, { details })
    throw fileFault(error, dirname(to))
  }
}
