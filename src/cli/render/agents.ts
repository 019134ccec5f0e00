/** Agents, for people. */
import { durationText } from '../../config/duration.ts'
import { MOST_WAITING, commandOf } from '../../operations/agents/agent-view.ts'
import type { AgentView } from '../../operations/agents/views.ts'
import type { RepositoryAgents } from '../../operations/agents/approve-agents.ts'
import type { CheckedAgent, CheckedCli, AcpReport } from '../../operations/agents/views.ts'
import type { AgentDetails } from '../../operations/agents/show-agent.ts'
import { oneLine } from '../escape.ts'
import type { Terminal } from '../terminal.ts'
import { cutTo } from './width.ts'
import { indented } from './words.ts'

const mark = ({ isUsable }: Pick<AgentView, 'isUsable'>): string => (isUsable ? '●' : '○')

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length))

/** Below this what is said of an agent says nothing, and another column goes instead. */
const ABOUT_MIN = 24

const headOf = (agent: AgentView): string => `${mark(agent)} ${oneLine(agent.name)}`
const aboutOf = ({ problems, description }: AgentView): string => oneLine(problems[0] ?? description ?? '')

/** On a terminal no line wraps: how an agent is set goes first, then what is said of it is cut. */
export function agentList(agents: readonly AgentView[], terminal: Terminal | null): string {
  const width = terminal?.columns ?? Infinity
  const isAwaited = agents.some(({ waiting }) => waiting > 0)
  const sized = [headOf, factsOf, ...(isAwaited ? [waitingOf] : [])].map((of) => ({
    of,
    width: widest(agents.map(of)),
  }))
  const taken = sized.reduce((sum, column) => sum + column.width + 2, 0)
  const columns = width - taken < ABOUT_MIN ? sized.filter(({ of }) => of !== factsOf) : sized
  return agents
    .map((agent) => [...columns.map((column) => column.of(agent).padEnd(column.width)), aboutOf(agent)].join('  '))
    .map((line) => cutTo(line.trimEnd(), width))
    .join('\n')
}

/** `command, account team, at most 2, 30m` */
const factsOf = ({ harness, account, maxConcurrent, maxRuntimeMs }: AgentView): string =>
  [
    harness ?? '-',
    ...(account === null ? [] : [`account ${oneLine(account)}`]),
    ...(maxConcurrent === null ? [] : [`at most ${maxConcurrent}`]),
    ...(maxRuntimeMs === null ? [] : [durationText(maxRuntimeMs)]),
  ].join(', ')

const countOf = ({ waiting }: AgentView): string => (waiting < MOST_WAITING ? String(waiting) : `${MOST_WAITING}+`)

const waitingOf = (agent: AgentView): string => (agent.waiting === 0 ? '' : `${countOf(agent)} waiting`)

export function agentPage(agent: AgentDetails): string {
  const command = commandOf(agent)
  const facts: readonly (readonly [string, string | null])[] = [
    ['harness', agent.harness],
    ['runs', command === null ? null : commandText(command)],
    [
      'on exit 0',
      agent.onExit === null ? null : agent.onExit === 'complete' ? 'the card is complete' : 'it owes a verdict',
    ],
    ['permissions', agent.permissions],
    ['model', agent.model],
    ['provider', agent.provider],
    ['effort', agent.effort],
    ['tools', agent.tools.length === 0 ? null : agent.tools.join(' ')],
    ['account', agent.account],
    ['at once', agent.maxConcurrent === null ? null : `at most ${agent.maxConcurrent}`],
    ['longest run', agent.maxRuntimeMs === null ? null : durationText(agent.maxRuntimeMs)],
    ['sees', agent.env.length === 0 ? null : agent.env.join(' ')],
    ...agent.setup.map((line) => ['setup', line] as const),
    ...agent.checks.map((line) => ['check', line] as const),
    ['skills', agent.skills.length === 0 ? null : agent.skills.join(' ')],
    ['waiting', agent.waiting === 0 ? null : `${countOf(agent)} ${agent.waiting === 1 ? 'card' : 'cards'}`],
    ['file', agent.file],
  ]
  return [
    `${mark(agent)} ${oneLine(agent.name)}${agent.description === null ? '' : `  ${oneLine(agent.description)}`}`,
    ...agent.problems.map((problem) => `  ! ${oneLine(problem)}`),
    ...facts.flatMap(([label, value]) => (value === null ? [] : [`  ${label.padEnd(12)} ${oneLine(value)}`])),
    ...(agent.instruction === '' ? [] : ['', 'Instruction', indented(agent.instruction)]),
  ].join('\n')
}

export const checkReport = ({ agents, clis, tools }: Checked): string =>
  [agentLines(agents), ...cliLines(clis), ...toolLines(tools)].filter((text) => text !== '').join('\n')

interface Checked {
  readonly agents: readonly CheckedAgent[]
  readonly clis: readonly CheckedCli[]
  readonly tools: { readonly count: number | null; readonly fault: string | null } | null
}

function toolLines(tools: Checked['tools']): readonly string[] {
  if (tools === null) return []
  return [
    tools.fault === null
      ? `✓ The board's tools answer here: ${tools.count} for a worker.`
      : `✗ The board's tools do not answer here: ${oneLine(tools.fault)}`,
  ]
}

function agentLines(agents: readonly CheckedAgent[]): string {
  const names = widest(agents.map(({ name }) => oneLine(name)))
  return agents
    .flatMap((agent) => {
      const told = agent.isUsable
        ? [`runs ${agent.runs === null ? 'the body of its card' : commandText(agent.runs)}`]
        : agent.problems
      const lines = told.map(
        (text) => `${agent.isUsable ? '✓' : '✗'} ${oneLine(agent.name).padEnd(names)}  ${oneLine(text)}`,
      )
      return [...lines, ...(agent.spoken === null || agent.spoken.fault !== null ? [] : spokenLines(agent.spoken))]
    })
    .join('\n')
}

function cliLines(clis: readonly CheckedCli[]): readonly string[] {
  const missing = clis.filter(({ program }) => program === null).map(({ name }) => name)
  return [
    ...clis.filter(({ program }) => program !== null).map(cliPage),
    ...(missing.length === 0 ? [] : [`Not installed here: ${missing.join(', ')}.`]),
  ]
}

const ABILITIES: Readonly<Record<CheckedCli['proved'][number], string>> = {
  tools: "the board's tools",
  resume: 'resume',
  usage: 'usage',
  sandbox: 'held to its permissions',
}

const listed = (words: CheckedCli['proved']): string => words.map((word) => ABILITIES[word]).join(', ')

function spokenLines({ name, version, resumes, provedWith, proved, unproved }: AcpReport): readonly string[] {
  const said = [name ?? '', version ?? ''].filter((text) => text !== '').join(' ')
  const facts = [
    ['by ACP', `${said}; it says that it can${resumes ? '' : 'not'} go on with a session`],
    ...(provedWith === null ? [] : [['proved', `${listed(proved)}${provedNote(version, provedWith)}`]]),
    ['not proved', listed(unproved)],
  ]
  return facts.map(([label = '', text = '']) => `  ${label.padEnd(12)} ${oneLine(text)}`)
}

const provedNote = (version: string | null, provedWith: string): string =>
  version === provedWith ? '' : ` (proved with ${provedWith}, not with this version)`

function cliPage(cli: CheckedCli): string {
  const facts = [
    ['program', cli.program ?? ''],
    ['log-in', logInText(cli.logIn)],
    ['proved', provedText(cli, listed(cli.proved))],
    ...(cli.sandbox === null ? [] : [['sandbox', sandboxText(cli.sandbox)]]),
    ...(cli.unproved.length === 0 ? [] : [['not proved', listed(cli.unproved)]]),
  ]
  return [
    `${cli.name}  ${oneLine(cli.title)} ${oneLine(cli.version ?? `(${cli.fault ?? 'of an unknown version'})`)}`,
    ...facts.map(([label = '', text = '']) => `  ${label.padEnd(12)} ${oneLine(text)}`),
    ...cli.notes.map((note) => `  ! ${oneLine(note)}`),
  ].join('\n')
}

function provedText({ version, provedWith }: CheckedCli, what: string): string {
  if (provedWith === null) return 'nothing: its adapter was written from its documentation, and never run with it'
  return `${what}${provedNote(version, provedWith)}`
}

/** As it was just now: a kernel or a container may not let it. */
const sandboxText = ({ holds, fault }: NonNullable<CheckedCli['sandbox']>): string =>
  holds === null
    ? `could not be tried here: ${fault}`
    : holds
      ? 'holds here: a command in it could not write'
      : 'does not hold here: a command in it could write'

/** That there is one, never whether it still holds: only using it would tell. */
function logInText({ file, variables }: CheckedCli['logIn']): string {
  const seen = [...(file === null ? [] : [`${file} is there`]), ...variables.map((name) => `${name} is set`)]
  return seen.length === 0 ? 'cannot be seen from here' : seen.join(', ')
}

/** All that it would be told and may do: this is what somebody approves. */
export const repositoryAgents = ({ agents, unfit }: RepositoryAgents): string =>
  [...agents.map(approvable), ...unfit.map(unapprovable)].join('\n')

const unapprovable = ({ name, problems }: RepositoryAgents['unfit'][number]): string =>
  [`✗ ${oneLine(name)}`, ...problems.map((problem) => `  ! ${oneLine(problem)}`)].join('\n')

const approvable = (agent: RepositoryAgents['agents'][number]): string =>
  [
    `${agent.isApproved ? '●' : '○'} ${agent.name}${agent.description === null ? '' : `  ${oneLine(agent.description)}`}`,
    ...[
      ['harness', agent.harness],
      ['permissions', agent.permissions],
      ['model', agent.model ?? ''],
      ['provider', agent.provider ?? ''],
      ['effort', agent.effort ?? ''],
      ['account', agent.account ?? ''],
      ['tools', agent.tools.join(' ')],
      ['skills', agent.skills.join(' ')],
      ['args', commandText(agent.args)],
      ['sees', agent.env.join(' ')],
      ...agent.setup.map((line) => ['setup', line]),
      ...agent.checks.map((line) => ['check', line]),
      ['file', agent.file],
    ].flatMap(([label = '', value = '']) => (value === '' ? [] : [`  ${label.padEnd(12)} ${oneLine(value)}`])),
    ...(agent.instruction === '' ? [] : [indented(agent.instruction)]),
  ].join('\n')

/** As a shell would have to be told it: one argument is seen to be one. */
const commandText = (argv: readonly string[]): string =>
  argv.map((text) => (/^[\w@%+=:,./{}-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)).join(' ')
