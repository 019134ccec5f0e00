/** The output of the `agents` commands. */
import { durationText } from '../../core/duration.ts'
import { MOST_WAITING, commandOf } from '../../operations/agents/agent-view.ts'
import type { AgentView } from '../../operations/agents/views.ts'
import type { RepositoryAgents } from '../../operations/agents/approve-agents.ts'
import type { CheckedAgent, CheckedCli, AcpReport } from '../../operations/agents/views.ts'
import type { AgentDetails } from '../../operations/agents/show-agent.ts'
import { cliNamed } from '../../harnesses/detect/clis.ts'
import { oneLine } from '../output/escape.ts'
import type { Terminal } from '../output/terminal.ts'
import type { Cell } from './tsv.ts'
import { cutTo } from './width.ts'
import { indented } from './format-values.ts'

const mark = ({ isUsable }: Pick<AgentView, 'isUsable'>): string => (isUsable ? '●' : '○')

const widest = (texts: readonly string[]): number => Math.max(0, ...texts.map(({ length }) => length))

/** The minimum width of a description. If there is less space, the settings are left out. */
const ABOUT_MIN = 24

const headOf = (agent: AgentView): string => `${mark(agent)} ${oneLine(agent.name)}`
const aboutOf = ({ problems, description }: AgentView): string => oneLine(problems[0] ?? description ?? '')

export const agentRow = (agent: AgentView): readonly Cell[] => [
  agent.name,
  agent.harness,
  agent.isUsable,
  agent.waiting,
  aboutOf(agent),
]

/**
 * Formats each agent on one line. On a narrow terminal, the settings are left out first. Then the description is cut.
 */
export function agentTable(agents: readonly AgentView[], { columns: width }: Terminal): string {
  const hasWaiting = agents.some(({ waiting }) => waiting > 0)
  const sized = [headOf, factsOf, ...(hasWaiting ? [waitingOf] : [])].map((of) => ({
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

/** The settings of an agent, such as `command, account team, at most 2, 30m`. */
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
      agent.onExit === null ? null : agent.onExit === 'complete' ? 'completes the card' : 'must report a verdict',
    ],
    ['permissions', agent.permissions],
    ['model', agent.model],
    ['provider', agent.provider],
    ['effort', agent.effort],
    ['tools', agent.tools.length === 0 ? null : agent.tools.join(' ')],
    ['account', agent.account],
    ['active hours', agent.activeHours],
    ['fallback', agent.fallback],
    ['concurrency', agent.maxConcurrent === null ? null : `at most ${agent.maxConcurrent}`],
    ['max runtime', agent.maxRuntimeMs === null ? null : durationText(agent.maxRuntimeMs)],
    ['env', agent.env.length === 0 ? null : agent.env.join(' ')],
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
  [agentLines(agents, clis), ...cliLines(clis), ...toolLines(tools)].filter((text) => text !== '').join('\n')

interface Checked {
  readonly agents: readonly CheckedAgent[]
  readonly clis: readonly CheckedCli[]
  readonly tools: { readonly count: number | null; readonly fault: string | null } | null
}

function toolLines(tools: Checked['tools']): readonly string[] {
  if (tools === null) return []
  return [
    tools.fault === null
      ? `✓ Board tools work: ${tools.count} for a worker.`
      : `✗ Board tools do not work: ${oneLine(tools.fault)}`,
  ]
}

function agentLines(agents: readonly CheckedAgent[], clis: readonly CheckedCli[]): string {
  const names = widest(agents.map(({ name }) => oneLine(name)))
  return agents
    .flatMap((agent) => {
      const logIn = agent.isUsable ? missingLogIn(agent, clis) : null
      const runs = `runs ${agent.runs === null ? 'the body of its card' : commandText(agent.runs)}`
      const texts = agent.isUsable ? [`${runs}${logIn === null ? '' : `; ${logIn}`}`] : agent.problems
      const sign = agent.isUsable ? (logIn === null ? '✓' : '?') : '✗'
      const lines = texts.map((text) => `${sign} ${oneLine(agent.name).padEnd(names)}  ${oneLine(text)}`)
      return [...lines, ...(agent.spoken === null || agent.spoken.fault !== null ? [] : acpLines(agent.spoken))]
    })
    .join('\n')
}

/** The CLI of an agent if no login was found. A login may still exist, so the agent gets neither a tick nor a cross. */
function missingLogIn({ harness }: CheckedAgent, clis: readonly CheckedCli[]): string | null {
  const cli = clis.find(({ name }) => name === harness)
  if (cli === undefined || cli.logIn.file !== null || cli.logIn.variables.length > 0) return null
  return `no login found. To log in: ${cliNamed(cli.name)?.logIn ?? cli.name}`
}

function cliLines(clis: readonly CheckedCli[]): readonly string[] {
  const missing = clis.filter(({ program }) => program === null).map(({ name }) => name)
  return [
    ...clis.filter(({ program }) => program !== null).map(cliPage),
    ...(missing.length === 0 ? [] : [`Not installed: ${missing.join(', ')}.`]),
  ]
}

const CAPABILITY_TEXTS: Readonly<Record<CheckedCli['proved'][number], string>> = {
  tools: 'board tools',
  resume: 'resume',
  usage: 'usage',
  sandbox: 'permissions enforced',
}

const capabilitiesText = (names: CheckedCli['proved']): string => names.map((name) => CAPABILITY_TEXTS[name]).join(', ')

function acpLines({ name, version, resumes, provedWith, proved, unproved }: AcpReport): readonly string[] {
  const program = [name ?? '', version ?? ''].filter((text) => text !== '').join(' ')
  const facts = [
    ['ACP', `${program}; reports that it ${resumes ? 'can' : 'cannot'} resume sessions`],
    ...(provedWith === null
      ? []
      : [['tested', `${capabilitiesText(proved)}${testedVersionNote(version, provedWith)}`]]),
    ['untested', capabilitiesText(unproved)],
  ]
  return facts.map(([label = '', text = '']) => `  ${label.padEnd(12)} ${oneLine(text)}`)
}

const testedVersionNote = (version: string | null, provedWith: string): string =>
  version === provedWith ? '' : ` (with version ${provedWith}, not this one)`

function cliPage(cli: CheckedCli): string {
  const facts = [
    ['program', cli.program ?? ''],
    ['login', logInText(cli.logIn)],
    ['tested', testedText(cli, capabilitiesText(cli.proved))],
    ...(cli.sandbox === null ? [] : [['sandbox', sandboxText(cli.sandbox)]]),
    ...(cli.unproved.length === 0 ? [] : [['untested', capabilitiesText(cli.unproved)]]),
  ]
  return [
    `${cli.name}  ${oneLine(cli.title)} ${oneLine(cli.version ?? `(${cli.fault ?? 'unknown version'})`)}`,
    ...facts.map(([label = '', text = '']) => `  ${label.padEnd(12)} ${oneLine(text)}`),
    ...cli.notes.map((note) => `  ! ${oneLine(note)}`),
  ].join('\n')
}

function testedText({ version, provedWith }: CheckedCli, capabilities: string): string {
  if (provedWith === null) return 'nothing: the adapter follows the documentation and has never run with this CLI'
  return `${capabilities}${testedVersionNote(version, provedWith)}`
}

/**
 * The result of the sandbox test. The test has just run, because some kernels and containers do not support a sandbox.
 */
const sandboxText = ({ holds, fault }: NonNullable<CheckedCli['sandbox']>): string =>
  holds === null
    ? `not tested: ${fault}`
    : holds
      ? 'works: a command inside it could not write'
      : 'does not work: a command inside it could write'

/** Describes the login. Only a use of the login would show whether it is still valid. */
function logInText({ file, variables }: CheckedCli['logIn']): string {
  const seen = [...(file === null ? [] : [`${file} exists`]), ...variables.map((name) => `${name} is set`)]
  return seen.length === 0 ? 'unknown' : seen.join(', ')
}

/** Formats the whole definition of each agent, because a person must approve the definition. */
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
      ['active hours', agent.activeHours ?? ''],
      ['fallback', agent.fallback ?? ''],
      ['tools', agent.tools.join(' ')],
      ['skills', agent.skills.join(' ')],
      ['args', commandText(agent.args)],
      ['env', agent.env.join(' ')],
      ...agent.setup.map((line) => ['setup', line]),
      ...agent.checks.map((line) => ['check', line]),
      ['file', agent.file],
    ].flatMap(([label = '', value = '']) => (value === '' ? [] : [`  ${label.padEnd(12)} ${oneLine(value)}`])),
    ...(agent.instruction === '' ? [] : [indented(agent.instruction)]),
  ].join('\n')

/** The command line with quotation marks, as for a shell. So a person can see the end of each argument. */
const commandText = (argv: readonly string[]): string =>
  argv.map((text) => (/^[\w@%+=:,./{}-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)).join(' ')
