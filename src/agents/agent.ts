/** An agent is a named worker. Its Markdown file has settings in the front matter, followed by the instruction. */
import { basename } from 'node:path'
import { isSlug } from '../core/ids.ts'
import { HARNESS_NAMES, harnessOf, programName } from '../harnesses/index.ts'
import { ON_EXIT, PERMISSIONS } from '../core/vocabulary.ts'
import {
  accountName,
  activeHours,
  argument,
  commands,
  durationMs,
  agentName,
  line,
  oneOf,
  programFault,
  skills,
  texts,
  tools,
  variables,
  wholeNumber,
} from './agent-fields.ts'
import type { HarnessName } from '../harnesses/index.ts'
import type { HarnessTraits } from '../harnesses/harness.ts'
import type { OnExit, Permissions } from '../core/vocabulary.ts'
import { readFrontMatter } from './front-matter.ts'
import type { AgentFileFault } from './front-matter.ts'
import { placeholderFault } from '../harnesses/placeholders.ts'
import { FieldReader } from './field-reader.ts'

export interface Agent {
  readonly name: string
  readonly description: string | null
  readonly harness: HarnessName
  /** The program of a `command` or `acp` agent and its arguments. The arguments may have placeholders. */
  readonly args: readonly string[]
  /** The environment variables that this agent may see. */
  readonly env: readonly string[]
  readonly maxConcurrent: number | null
  readonly maxRuntimeMs: number | null
  readonly account: string | null
  /** The hours at which cards of the agent may start. Null means that cards may start at any time. */
  readonly activeHours: string | null
  /** The agent that replaces this agent while the account of this agent is exhausted. */
  readonly fallback: string | null
  readonly permissions: Permissions
  /** The tools of the agent. The entry `kanban` means the tools for the whole board. */
  readonly tools: readonly string[]
  /** The meaning of exit code 0: the card is complete, or the agent must still report a verdict. */
  readonly onExit: OnExit
  /** The model. Null means that the program's own setting applies. */
  readonly model: string | null
  readonly provider: string | null
  readonly effort: string | null
  /** The commands that prepare a new workspace. */
  readonly setup: readonly string[]
  /** The checks for every card of this agent, in addition to the checks of the card. */
  readonly checks: readonly string[]
  /** The skills of the agent. If a card names skills, the card's skills replace these. */
  readonly skills: readonly string[]
  readonly instruction: string
}

/**
 * The built-in agent that runs the body of its card as a script. This agent needs no file, so a new board can already
 * run cards.
 */
export const SHELL_AGENT: Agent = {
  name: 'shell',
  description: 'Runs the body of the card as a script',
  harness: 'shell',
  args: [],
  env: [],
  maxConcurrent: null,
  maxRuntimeMs: null,
  account: null,
  activeHours: null,
  fallback: null,
  permissions: 'edit',
  tools: [],
  onExit: 'complete',
  model: null,
  provider: null,
  effort: null,
  setup: [],
  checks: [],
  skills: [],
  instruction: '',
}

export const AGENT_FIELDS = [
  'name',
  'description',
  'harness',
  'args',
  'env',
  'maxRuntime',
  'maxConcurrent',
  'account',
  'activeHours',
  'fallback',
  'permissions',
  'tools',
  'onExit',
  'model',
  'provider',
  'effort',
  'setup',
  'checks',
  'skills',
] as const

/** Reads an agent file. `stem` is the file name without `.md`, which is the name of the agent. */
export function readAgent(
  text: string,
  stem: string,
  yaml: Parameters<typeof readFrontMatter>[1],
): Agent | readonly AgentFileFault[] {
  const front = readFrontMatter(text, yaml)
  if ('message' in front) return [front]
  const fields = new FieldReader(front.entries)
  fields.rejectUnknown(AGENT_FIELDS)
  const fault = faultInName(stem, fields.take('name', line))
  if (fault !== null) fields.addFault('name', fault)
  const agent = { name: stem, ...agentSettings(fields), instruction: front.text.trim() }
  return fields.faults.length === 0 ? agent : fields.faults
}

function agentSettings(fields: FieldReader): Omit<Agent, 'name' | 'instruction'> {
  const named = readHarness(fields)
  const args = argumentsOf(fields, named)
  // If the harness is not valid, the default does not matter, because Muster never uses a file with errors.
  const harness = named ?? 'shell'
  const traits = harnessOf({ harness })
  return {
    description: fields.take('description', line),
    harness,
    args,
    env: fields.take('env', variables) ?? [],
    maxConcurrent: fields.take('maxConcurrent', wholeNumber),
    maxRuntimeMs: fields.take('maxRuntime', durationMs),
    account: fields.take('account', accountName) ?? accountOf(traits, args),
    activeHours: fields.take('activeHours', activeHours),
    fallback: fields.take('fallback', agentName),
    permissions: fields.take('permissions', oneOf(PERMISSIONS)) ?? 'edit',
    tools: fields.take('tools', tools) ?? [],
    onExit: fields.take('onExit', oneOf(ON_EXIT)) ?? traits.onExit,
    model: fields.take('model', argument),
    provider: fields.take('provider', argument),
    effort: fields.take('effort', argument),
    setup: fields.take('setup', commands) ?? [],
    checks: fields.take('checks', commands) ?? [],
    skills: fields.take('skills', skills) ?? [],
  }
}

/**
 * The account of an agent. All agents of one program use the same login, so they share an account. `command` and
 * `shell` agents have no account.
 */
const accountOf = (traits: HarnessTraits, args: readonly string[]): string | null =>
  traits.onExit === 'complete' ? null : basename(programName(traits, args) ?? '').toLowerCase()

function readHarness(fields: FieldReader): HarnessName | null {
  if (!fields.has('harness')) fields.addFault('harness', `choose one: ${HARNESS_NAMES.join(', ')}`)
  return fields.take('harness', oneOf(HARNESS_NAMES))
}

/**
 * Returns what is wrong with an agent's name. Null means that the name is valid. Names are in lower case, because some
 * file systems ignore case.
 */
function faultInName(stem: string, given: string | null): string | null {
  if (!isSlug(stem)) return 'names have 1-64 characters (a-z, 0-9, _ or -) and start with a letter or digit'
  if (stem === 'none' || stem === 'null') return `${stem} means unassigned: choose another name`
  return given === null || given === stem ? null : `the file is called ${stem}.md: write ${stem}, or leave the name out`
}

function argumentsOf(fields: FieldReader, harness: HarnessName | null): readonly string[] {
  const args = fields.take('args', texts)
  if (harness !== null && (args !== null || !fields.has('args'))) checkArguments(fields, harness, args ?? [])
  return args ?? []
}

function checkArguments(fields: FieldReader, harness: HarnessName, args: readonly string[]): void {
  const { runsTheCard, argsExample, fillsPlaceholders = false } = harnessOf({ harness })
  if (runsTheCard && args.length > 0)
    fields.addFault('args', `a ${harness} agent takes no arguments: it runs the body of its card`)
  if (argsExample !== undefined) checkProgram(fields, args, argsExample)
  if (fillsPlaceholders) checkPlaceholders(fields, args)
}

function checkProgram(fields: FieldReader, [named]: readonly string[], example: string): void {
  if (named === undefined) return fields.addFault('args', `name the program and its arguments, as in ${example}`)
  const fault = programFault(named)
  if (fault !== null) fields.addFault('args', fault, 0)
}

function checkPlaceholders(fields: FieldReader, [, ...rest]: readonly string[]): void {
  rest.forEach((argument, at) => {
    const fault = placeholderFault(argument)
    if (fault !== null) fields.addFault('args', fault, at + 1)
  })
}
