/** An agent: a named worker identity. A Markdown file whose front matter says how it runs and whose text instructs it. */
import { basename } from 'node:path'
import { isSlug } from '../core/ids.ts'
import { HARNESS_NAMES, harnessOf, programName } from '../harnesses/index.ts'
import { ON_EXIT, PERMISSIONS } from '../core/vocabulary.ts'
import {
  argument,
  commands,
  durationMs,
  line,
  oneOf,
  program,
  skills,
  spelling,
  texts,
  tools,
  variables,
  whole,
} from './agent-fields.ts'
import type { HarnessName } from '../harnesses/index.ts'
import type { HarnessTraits } from '../harnesses/harness.ts'
import type { OnExit, Permissions } from '../core/vocabulary.ts'
import { readFrontMatter } from './front-matter.ts'
import type { Fault } from './front-matter.ts'
import { placeholderFault } from '../harnesses/placeholders.ts'
import { Sheet } from './sheet.ts'

export interface Agent {
  readonly name: string
  readonly description: string | null
  readonly harness: HarnessName
  /** The program of a `command` or `acp` agent and its arguments, placeholders and all. */
  readonly args: readonly string[]
  /** Names of variables of the dispatcher's environment that this agent may see. */
  readonly env: readonly string[]
  readonly maxConcurrent: number | null
  readonly maxRuntimeMs: number | null
  readonly account: string | null
  readonly permissions: Permissions
  /** Which of our tools it has; with `kanban`, those for the whole board. */
  readonly tools: readonly string[]
  /** Whether a run that ends without a word is complete when it exits 0, or owes a verdict. */
  readonly onExit: OnExit
  /** What the model is, who serves it and how hard it thinks; null: as its program is set up. */
  readonly model: string | null
  readonly provider: string | null
  readonly effort: string | null
  /** Commands for a fresh workspace, before the agent's first turn in it. */
  readonly setup: readonly string[]
  /** What must pass on every card of this agent, beside the card's own checks. */
  readonly checks: readonly string[]
  /** What it reads before it begins, unless its card names others. */
  readonly skills: readonly string[]
  readonly instruction: string
}

/** Runs the body of its card as a script. It needs no file, so a fresh board can do something. */
export const SHELL_AGENT: Agent = {
  name: 'shell',
  description: 'Runs the body of the card as a script',
  harness: 'shell',
  args: [],
  env: [],
  maxConcurrent: null,
  maxRuntimeMs: null,
  account: null,
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

/** Reads an agent file. `stem` is its file name without `.md`, which is the agent's name. */
export function readAgent(
  text: string,
  stem: string,
  yaml: Parameters<typeof readFrontMatter>[1],
): Agent | readonly Fault[] {
  const front = readFrontMatter(text, yaml)
  if ('message' in front) return [front]
  const sheet = new Sheet(front.entries)
  sheet.refuseOthers(AGENT_FIELDS)
  const fault = faultInName(stem, sheet.take('name', line))
  if (fault !== null) sheet.complain('name', fault)
  const agent = { name: stem, ...settingsOf(sheet), instruction: front.text.trim() }
  return sheet.faults.length === 0 ? agent : sheet.faults
}

function settingsOf(sheet: Sheet): Omit<Agent, 'name' | 'instruction'> {
  const named = readHarness(sheet)
  const args = argumentsOf(sheet, named)
  // An agent with a fault is not used, so any harness will do.
  const harness = named ?? 'shell'
  const traits = harnessOf({ harness })
  return {
    description: sheet.take('description', line),
    harness,
    args,
    env: sheet.take('env', variables) ?? [],
    maxConcurrent: sheet.take('maxConcurrent', whole),
    maxRuntimeMs: sheet.take('maxRuntime', durationMs),
    account: sheet.take('account', spelling) ?? accountOf(traits, args),
    permissions: sheet.take('permissions', oneOf(PERMISSIONS)) ?? 'edit',
    tools: sheet.take('tools', tools) ?? [],
    onExit: sheet.take('onExit', oneOf(ON_EXIT)) ?? traits.onExit,
    model: sheet.take('model', argument),
    provider: sheet.take('provider', argument),
    effort: sheet.take('effort', argument),
    setup: sheet.take('setup', commands) ?? [],
    checks: sheet.take('checks', commands) ?? [],
    skills: sheet.take('skills', skills) ?? [],
  }
}

/** All agents of one program use the same login. A program that knows nothing of boards has no account. */
const accountOf = (traits: HarnessTraits, args: readonly string[]): string | null =>
  traits.onExit === 'complete' ? null : basename(programName(traits, args) ?? '').toLowerCase()

function readHarness(sheet: Sheet): HarnessName | null {
  if (!sheet.has('harness')) sheet.complain('harness', `say which: ${HARNESS_NAMES.join(', ')}`)
  return sheet.take('harness', oneOf(HARNESS_NAMES))
}

/** Cards name their agent; what they find must not depend on how a file system spells. */
function faultInName(stem: string, given: string | null): string | null {
  if (!isSlug(stem)) return 'names are 1-64 of a-z, 0-9, _ and -, beginning with a letter or digit'
  if (stem === 'none' || stem === 'null') return `a card of ${stem} is nobody's: choose another name`
  return given === null || given === stem ? null : `the file is called ${stem}.md: write ${stem}, or leave it out`
}

function argumentsOf(sheet: Sheet, harness: HarnessName | null): readonly string[] {
  const args = sheet.take('args', texts)
  if (harness !== null && (args !== null || !sheet.has('args'))) checkArguments(sheet, harness, args ?? [])
  return args ?? []
}

function checkArguments(sheet: Sheet, harness: HarnessName, args: readonly string[]): void {
  const { runsTheCard, argsExample, fillsPlaceholders = false } = harnessOf({ harness })
  if (runsTheCard && args.length > 0)
    sheet.complain('args', `a ${harness} agent takes none: it runs the body of its card`)
  if (argsExample !== undefined) checkProgram(sheet, args, argsExample)
  if (fillsPlaceholders) checkPlaceholders(sheet, args)
}

function checkProgram(sheet: Sheet, [named]: readonly string[], example: string): void {
  if (named === undefined) return sheet.complain('args', `name the program and its arguments, as in ${example}`)
  const fault = program(named)
  if (fault !== null) sheet.complain('args', fault, 0)
}

function checkPlaceholders(sheet: Sheet, [, ...rest]: readonly string[]): void {
  rest.forEach((argument, at) => {
    const fault = placeholderFault(argument)
    if (fault !== null) sheet.complain('args', fault, at + 1)
  })
}
