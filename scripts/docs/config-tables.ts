/** The tables of settings in files: config.yaml and the front matter of an agent. */
import { AGENT_FIELDS } from '../../src/agents/agent.ts'
import { settingText } from '../../src/cli/render/board.ts'
import { OPTIONS, OPTION_NAMES, variableOf } from '../../src/config/options.ts'
import { HARNESS_NAMES } from '../../src/harnesses/index.ts'
import { ON_EXIT, PERMISSIONS } from '../../src/core/vocabulary.ts'
import { cell, code, table } from './markdown.ts'

export const configOptions = (): string[] =>
  table(
    ['Key in `config.yaml`', 'Variable', 'Default', 'Meaning'],
    OPTION_NAMES.map((name) => {
      const { kind, default: value, description } = OPTIONS[name]
      const shown = kind === 'duration' ? `${value} (${settingText(name, value)})` : String(value)
      return [code(name), code(variableOf(name)), shown, cell(description)]
    }),
  )

const listOf = (words: readonly string[]): string => words.map(code).join(', ')

/** The fields of an agent file. The compiler finds a field without a description. */
const FIELD_TEXTS: Readonly<Record<(typeof AGENT_FIELDS)[number], string>> = {
  name: 'Optional. If given, it must be the name of the file without `.md`.',
  description: 'What the agent is good for, in one line. Orchestrators see it when they choose an agent.',
  harness: `Required. How the agent runs: ${listOf(HARNESS_NAMES)}.`,
  args: 'For `command` and `acp`: the program and its arguments, with [placeholders](#placeholders). For an agent CLI: extra arguments.',
  env: 'Names of environment variables that the agent may see. Their values come from the environment of `muster up`.',
  maxRuntime: 'The time limit of a run, as `90s`, `30m` or `2h`. A card may set its own.',
  maxConcurrent: 'How many cards the agent works on at once, on all boards.',
  account:
    'The account whose quota the agent uses. Default: the name of its CLI. When an account reaches a rate limit, all its agents wait.',
  activeHours:
    'When cards of the agent may start, in local time, as `22:00-07:00` or `mon-fri 18:00-08:00; sat,sun`. See [active hours](../guides/active-hours-and-fallback.md).',
  fallback:
    'The agent that takes over while the account of this agent is [exhausted](../guides/active-hours-and-fallback.md#name-a-fallback).',
  permissions: `What the agent may do: ${listOf(PERMISSIONS)}. Default: \`edit\`. See [permissions](agent-programs.md#permissions).`,
  tools: '`[kanban]` gives the agent the tools for the whole board, as an orchestrator needs.',
  onExit: `What exit code 0 means: ${listOf(ON_EXIT)}. \`complete\`: the card is complete, or approved in a review. \`verdict\`: the agent must report a result. Default: \`complete\` for \`shell\` and \`command\`, otherwise \`verdict\`.`,
  model: 'The model, as the CLI names it. A card may set its own.',
  provider: 'The provider of the model. A card may set its own.',
  effort: 'The reasoning effort of the model, as the CLI names it. A card may set its own.',
  setup:
    'Commands that prepare each new workspace. See [setup and checks](../guides/write-an-agent.md#prepare-the-workspace-and-check-every-card).',
  checks: 'Checks that every card of this agent must pass, in addition to those of the card.',
  skills:
    '[Skills](../guides/use-skills.md) that the agent uses, as `[reading, style]`. A card may name others instead.',
}

export const agentFields = (): string[] =>
  table(
    ['Field', 'Meaning'],
    AGENT_FIELDS.map((field) => [code(field), FIELD_TEXTS[field].replaceAll('|', '\\|')]),
  )
