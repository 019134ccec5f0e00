/** Warns about agents that do not exist on this machine, when one command creates several cards. */
import { cliNamed } from '../harnesses/detect/clis.ts'
import { nearest } from '../util/nearest.ts'
import type { Roster } from './roster.ts'
import { isUnknown } from './runner.ts'

/** Returns one sentence for each unknown agent. Their cards wait, so this is not an error. */
export const unknownAgentTexts = (names: Iterable<string | null>, roster: Roster): readonly string[] =>
  [...new Set(names)].flatMap((name) =>
    name !== null && isUnknown(name, roster) ? [unknownAgentText(name, roster)] : [],
  )

function unknownAgentText(name: string, { agents }: Roster): string {
  const cli = cliNamed(name)
  if (cli !== null)
    return `${cli.title} is not set up on this machine, so cards of agent ${name} wait. Install it, then run: muster init`
  const meant = nearest(name, [...agents.keys()])
  const hint = meant === null ? ' To list the agents: muster agents' : ` Did you mean ${meant}?`
  return `Agent ${name} does not exist on this machine, so its cards wait.${hint}`
}
