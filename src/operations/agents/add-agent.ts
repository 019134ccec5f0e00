import { ON_EXIT, PERMISSIONS } from '../../core/vocabulary.ts'
import { durationText } from '../../core/duration.ts'
import { BoardError } from '../../core/errors.ts'
import { readAgent } from '../../agents/agent.ts'
import { HARNESS_NAMES, harnessOf, isKnownEffort } from '../../harnesses/index.ts'
import { readRoster } from '../../agents/roster.ts'
import { agentExists, writeAgentFile } from './agent-file.ts'
import { noSuchAgent, viewAgents } from './agent-view.ts'
import { defineOperation } from '../shared/operation.ts'
import type { InputOf, SchemaKit } from '../shared/operation.ts'

type NewAgent = InputOf<typeof schemas>

const schemas = ({ z, duration, line, name, text, agentView }: SchemaKit) => ({
  input: z.object({
    name: name.describe('The name of the agent, and of its file'),
    harness: z.enum(HARNESS_NAMES).default('command').describe('The adapter that starts it'),
    args: z.array(text).readonly().default([]).describe('The program and its arguments, after --'),
    description: line.optional().describe('What it is good for'),
    env: z.array(text).readonly().default([]).describe('An environment variable that the agent may read'),
    account: name.optional().describe('The account whose quota the agent uses'),
    maxRuntimeMs: duration.min(1).optional().describe('The time limit of a run'),
    maxConcurrent: z.int().min(1).optional().describe('How many cards the agent may run at a time'),
    permissions: z.enum(PERMISSIONS).optional().describe('What it may do'),
    model: line.optional().describe('The model, by the name that the CLI of the agent uses'),
    provider: line.optional().describe('The provider of that model'),
    effort: line.optional().describe('The reasoning effort'),
    skills: z.array(text).readonly().default([]).describe('A skill that it always uses'),
    onExit: z.enum(ON_EXIT).optional().describe('What exit code 0 means'),
    instruction: text.default('').describe('Its standing instructions'),
  }),
  output: agentView,
})

export const addAgent = defineOperation({
  name: 'agents add',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Add an agent by writing its file; an existing agent is not overwritten.',
  schemas,
  run: async ({ options: { home }, env }, input) => {
    const yaml = await import('yaml')
    const text = `---\n${yaml.stringify(frontMatter(input), { lineWidth: 0 })}---\n${instruction(input)}`
    const read = readAgent(text, input.name, yaml)
    if (!('name' in read)) throw invalidAgent(input, read)
    const { program, efforts = [] } = harnessOf(read)
    if (read.effort !== null && !isKnownEffort(harnessOf(read), read.effort))
      throw notAdded(input, {
        field: 'effort',
        problem: `${program ?? read.harness} accepts the efforts ${efforts.join(', ')}, not ${read.effort}.`,
      })
    const wrote = await writeAgentFile(home, input.name, text)
    if (!wrote.written) throw agentExists(wrote, 'To change it, edit that file.')
    const agents = await viewAgents(home, await readRoster(home, env), new Map())
    const added = agents.find(({ name }) => name === input.name)
    if (added === undefined) throw noSuchAgent(input.name, [])
    return added
  },
})

/**
 * The front matter of the new file. Only the given fields are written, so that a later version can improve the
 * defaults.
 */
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

/** Describes a fault by the names of the flags, because the user typed a command and not a file. */
function invalidAgent({ name, harness, args }: NewAgent, [fault]: Faults): BoardError {
  const field = fault?.field ?? 'file'
  const problem =
    field === 'args' && args.length === 0
      ? `name its program: muster agents add ${name}${harness === 'acp' ? ' --harness acp -- opencode acp' : ' -- make -C {workspace}'}`
      : field === 'name'
        ? (fault?.message ?? '')
        : `${field}: ${fault?.message ?? ''}`
  return notAdded({ name }, { field, problem: `${problem}.` })
}

const notAdded = (
  { name }: Pick<NewAgent, 'name'>,
  { field, problem }: { field: string; problem: string },
): BoardError =>
  new BoardError('invalid_input', `Agent ${name} was not added: ${problem}`, { details: { name, field } })
