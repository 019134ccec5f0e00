import type * as z from 'zod'
import { durationText } from '../../config/duration.ts'
import { BoardError } from '../../core/errors.ts'
import { readAgent } from '../../agents/agent.ts'
import { harnessOf, isKnownEffort } from '../../harnesses/index.ts'
import { readRoster } from '../../agents/roster.ts'
import type * as schemas from './add-agent.schema.ts'
import { agentExists, writeAgentFile } from './agent-file.ts'
import { noSuchAgent, viewAgents } from './agent-view.ts'
import { defineOperation } from '../shared/operation.ts'

type NewAgent = z.infer<typeof schemas.input>

export const addAgent = defineOperation({
  name: 'agents add',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Write the file of a new agent; one that is there stays as it is.',
  schemas: () => import('./add-agent.schema.ts'),
  run: async ({ options: { home }, env }, input) => {
    const yaml = await import('yaml')
    const text = `---\n${yaml.stringify(frontMatter(input), { lineWidth: 0 })}---\n${instruction(input)}`
    const read = readAgent(text, input.name, yaml)
    if (!('name' in read)) throw unfit(input, read)
    const { program, efforts = [] } = harnessOf(read)
    if (read.effort !== null && !isKnownEffort(harnessOf(read), read.effort))
      throw notAdded(input, {
        field: 'effort',
        told: `${program ?? read.harness} accepts the efforts ${efforts.join(', ')}, not ${read.effort}.`,
      })
    const wrote = await writeAgentFile(home, input.name, text)
    if (!wrote.written) throw agentExists(wrote, `edit ${wrote.file}`)
    const agents = await viewAgents(home, await readRoster(home, env), new Map())
    const added = agents.find(({ name }) => name === input.name)
    if (added === undefined) throw noSuchAgent(input.name, [])
    return added
  },
})

/** Only what was said: what was not has its default, and a default may get better. */
const frontMatter = (input: NewAgent): Readonly<Record<string, unknown>> => {
  const { description, harness, args, env, account, maxRuntimeMs, maxConcurrent, permissions, onExit } = input
  const { model, provider, effort, skills } = input
  return {
    ...(description === undefined ? {} : { description }),
    harness,
    ...(args.length === 0 ? {} : { args }),
    ...(env.length === 0 ? {} : { env }),
    ...(account === undefined ? {} : { account }),
    ...(maxRuntimeMs === undefined ? {} : { maxRuntime: durationText(maxRuntimeMs) }),
    ...(maxConcurrent === undefined ? {} : { maxConcurrent }),
    ...(permissions === undefined ? {} : { permissions }),
    ...(model === undefined ? {} : { model }),
    ...(provider === undefined ? {} : { provider }),
    ...(effort === undefined ? {} : { effort }),
    ...(skills.length === 0 ? {} : { skills }),
    ...(onExit === undefined ? {} : { onExit }),
  }
}

const instruction = ({ instruction: text }: NewAgent): string => (text.trim() === '' ? '' : `\n${text.trim()}\n`)

type Faults = Exclude<ReturnType<typeof readAgent>, { name: string }>

/** A file has lines and fields; whoever types a command has typed neither. */
function unfit({ name, harness, args }: NewAgent, [fault]: Faults): BoardError {
  const field = fault?.field ?? 'file'
  const told =
    field === 'args' && args.length === 0
      ? `name its program: muster agents add ${name}${harness === 'acp' ? ' --harness acp -- opencode acp' : ' -- make -C {workspace}'}`
      : field === 'name'
        ? (fault?.message ?? '')
        : `${field}: ${fault?.message ?? ''}`
  return notAdded({ name }, { field, told: `${told}.` })
}

const notAdded = ({ name }: Pick<NewAgent, 'name'>, { field, told }: { field: string; told: string }): BoardError =>
  new BoardError('invalid_input', `Agent ${name} is not added: ${told}`, { details: { name, field } })
