/** Builds the texts of new agent files: the settings with comments that explain them, then the instruction. */
import type { Environment } from '../config/environment.ts'
import type { Permissions } from '../core/vocabulary.ts'
import { keysIn } from '../harnesses/detect/cli-login.ts'
import { CLIS } from '../harnesses/detect/clis.ts'
import type { CliName } from '../harnesses/detect/clis.ts'
import { isAllowed } from '../processes/environment.ts'
import type { StarterRole } from './starter.ts'

const ANY_CARD = `Do what the card asks, and no more. Look before you change anything, follow the conventions you find, and test your work
before you complete the card. Put what you could not do, or are not sure of, into your summary.`

/** The agent file for an installed CLI, with the lowest permissions that let it work. */
export function cliAgentText(cli: CliName, env: Environment): string {
  const { title, means, proved } = CLIS[cli]
  const choices = (['read', 'ask', 'edit', 'full'] as const).map((word) => `#   ${word.padEnd(4)}  ${means[word]}`)
  return fileText(
    [
      `description: ${title}, for any card`,
      ...(proved === null ? ['# Untested: Muster supports this CLI from its documentation alone.'] : []),
      `harness: ${cli}`,
      '# What the agent may do. Anything else is refused without asking.',
      ...choices,
      'permissions: edit',
      ...environmentLines(cli, env),
      '# model, provider and effort come from your own settings, unless set here or on the card.',
    ],
    ANY_CARD,
  )
}

export function starterText(
  { description, tools, permissions, instruction }: StarterRole,
  cli: CliName,
  env: Environment,
): string {
  return fileText(
    [
      `description: ${description}`,
      `harness: ${cli}`,
      ...(tools.length === 0 ? [] : [`tools: [${tools.join(', ')}]`]),
      ...permissionLines(cli, permissions),
      ...environmentLines(cli, env),
    ],
    instruction,
  )
}

const fileText = (head: readonly string[], instruction: string): string =>
  `${['---', ...head, '---'].join('\n')}\n\n${instruction}\n`

function permissionLines(cli: CliName, permissions: Permissions): readonly string[] {
  const { means } = CLIS[cli]
  return [
    `# ${permissions}: ${means[permissions]}.`,
    ...(permissions === 'edit' ? [`# full: ${means.full}.`] : []),
    `permissions: ${permissions}`,
  ]
}

/**
 * The setting `env` of an agent file. The setting lists the variables that the agent may see: the keys of the CLI, and
 * the variable with the CLI's folder.
 */
function environmentLines(cli: CliName, env: Environment): readonly string[] {
  const { keys, folder } = CLIS[cli]
  const places = env[folder.variable] && !isAllowed(folder.variable) ? [folder.variable] : []
  const named = [...keysIn(cli, env), ...places]
  return named.length === 0
    ? ['# To log in with a key from the environment, name its variable here:', `# env: [${keys[0]}]`]
    : [`env: [${named.join(', ')}]`]
}
