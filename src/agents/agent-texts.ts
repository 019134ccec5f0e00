/** Agent files as they are written for people: settings with what they mean, then the standing instruction. */
import type { Environment } from '../config/environment.ts'
import type { Permissions } from '../core/vocabulary.ts'
import { keysIn } from '../harnesses/detect/cli-log-in.ts'
import { CLIS } from '../harnesses/detect/clis.ts'
import type { CliName } from '../harnesses/detect/clis.ts'
import { isAllowed } from '../processes/environment.ts'
import type { StarterRole } from './starter.ts'

const ANY_CARD = `Do what the card asks, and no more. Look at what is there before you change it, keep to how things are done
there, and try your work before you say that it is done. What you could not do, or are not sure of, belongs in your
summary.`

/** One agent for a CLI that was found: for any card, with the least that lets it work. */
export function cliAgentText(cli: CliName, env: Environment): string {
  const { title, means, proved } = CLIS[cli]
  const choices = (['read', 'ask', 'edit', 'full'] as const).map((word) => `#   ${word.padEnd(4)}  ${means[word]}`)
  return fileText(
    [
      `description: ${title}, for any card`,
      ...(proved === null ? ['# Not proved: how it is started and read is known from its documentation alone.'] : []),
      `harness: ${cli}`,
      '# What it may do. Nobody is there to be asked: what is not allowed is refused.',
      ...choices,
      'permissions: edit',
      ...environmentLines(cli, env),
      '# model, provider and effort are those of your own settings, unless they stand here or on the card.',
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

/** A worker sees what is named here and nothing else: what logs its CLI in, or says where that keeps its things. */
function environmentLines(cli: CliName, env: Environment): readonly string[] {
  const { keys, folder } = CLIS[cli]
  const places = env[folder.variable] && !isAllowed(folder.variable) ? [folder.variable] : []
  const named = [...keysIn(cli, env), ...places]
  return named.length === 0
    ? ['# A log-in by a key in the environment needs its name here:', `# env: [${keys[0]}]`]
    : [`env: [${named.join(', ')}]`]
}
