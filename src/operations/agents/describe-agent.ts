import { dirname } from 'node:path'
import { descriptionIn, withDescription } from '../../agents/describe-agent-file.ts'
import type { FoundDescription } from '../../agents/describe-agent-file.ts'
import type { LocalAgent } from '../../agents/roster.ts'
import { inHome } from '../../config/home.ts'
import { BoardError } from '../../core/errors.ts'
import { readWhole } from '../../util/read-whole.ts'
import type { LocalContext } from '../shared/operation.ts'
import { defineOperation } from '../shared/operation.ts'
import { writeAgentFile } from './agent-file.ts'
import { noSuchAgent, requireRoster } from './agent-view.ts'

export const describeAgentFile = defineOperation({
  name: 'agents describe',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Set the description of an agent, by which the planner chooses it.',
  schemas: ({ z, line, name }) => ({
    input: z.object({
      name: name.describe('The agent'),
      description: line.nullable().default(null).describe('What it is good for'),
      auto: z.boolean().default(false).describe('Let the describer model write it'),
      force: z.boolean().default(false).describe('With auto: replace a description that a person wrote'),
    }),
    output: z.object({ name: z.string(), file: z.string(), description: z.string(), was: z.string().nullable() }),
  }),
  run: async (context, { name, description, auto, force }) => {
    if (auto === (description !== null))
      throw new BoardError('invalid_input', 'Give a description, or let the model write it with --auto.', {
        details: { field: 'description' },
      })
    const { agent, file } = await ownFile(context, name)
    const yaml = await import('yaml')
    const read = async (): Promise<{ readonly whole: string; readonly before: FoundDescription | null }> => {
      const whole = await readWhole(file)
      const before = descriptionIn(whole, yaml)
      if (auto && !force) refuseToReplace(name, before)
      return { whole, before }
    }
    await read()
    const text = description ?? (await written(context, agent))
    // The file is read again, because a person may have edited it while the model wrote.
    const { whole, before } = await read()
    const changed = withDescription(whole, { text, isByModel: auto }, yaml)
    if (changed === null)
      throw new BoardError('invalid_input', `${file} has no front matter. To see the fault: muster agents check`)
    await writeAgentFile(context.options.home, name, changed, { replaces: true })
    return { name, file, description: text, was: before?.text ?? null }
  },
})

/** The text of a person is replaced only with --force. */
function refuseToReplace(name: string, found: FoundDescription | null): void {
  if (found === null || found.text === '' || found.isByModel) return
  throw new BoardError(
    'agent_exists',
    `Agent ${name} already has a description that a person wrote. To replace it: muster agents describe ${name} --auto --force`,
    { details: { name, description: found.text } },
  )
}

/** Only files in the data folder are changed: a changed file of a repository would need a new approval. */
async function ownFile(
  context: LocalContext,
  name: string,
): Promise<{ readonly agent: LocalAgent; readonly file: string }> {
  const roster = await requireRoster(context)
  const agent = roster.agents.get(name)
  if (agent === undefined) throw noSuchAgent(name, roster.agents.keys())
  const { file } = agent
  if (file !== null && dirname(file) === inHome.agents(context.options.home)) return { agent, file }
  const problem =
    file === null
      ? 'is built in, so its description cannot be changed'
      : `belongs to a repository. Edit ${file}, then approve it again`
  throw new BoardError('invalid_input', `Agent ${name} ${problem}.`, { details: { name, file } })
}

async function written({ options: { home }, env, signal }: LocalContext, agent: LocalAgent): Promise<string> {
  const { describeAgent } = await import('../../planning/describe.ts')
  const { text } = await describeAgent(agent, { home, env, signal: signal ?? new AbortController().signal })
  return text
}
