/**
 * Creates the data folder for the first command that writes, and prints a line about it. Only `init` prints a next
 * step.
 */
import { initHome } from '../operations/machine/init-home.ts'
import type { MadeHome } from '../operations/machine/init-home.ts'
import type { Invocation } from './invocation.ts'
import { oneLine } from './output/escape.ts'

export async function makeHome(cli: Invocation): Promise<void> {
  const made = await cli.perform(initHome, {})
  if (made.created) cli.notice([createdText(made), ...foundLines(made)].join('\n'))
}

const NEXT_STEP = 'Next: muster create "Say hello" --assignee shell --body "echo hello", then muster up'

/** The text of `init`: the data folder, the agent CLIs that were found, and the next step. */
export function initAnswer(made: MadeHome): string {
  const isNew = made.created || made.clis.some(({ written }) => written)
  const head = made.created
    ? createdText(made)
    : isNew
      ? []
      : `Your Muster folder is already set up: ${oneLine(made.home)}`
  return [head, foundLines(made), missingClisText(made), made.created ? NEXT_STEP : []].flat().join('\n')
}

const createdText = ({ home }: MadeHome): string => `Created your Muster folder: ${oneLine(home)}`

function foundLines({ clis }: MadeHome): readonly string[] {
  const found = clis.filter(({ program }) => program !== null)
  const lines = found.map(({ name, program, file, written, problem, isProved }) => {
    const agent = written
      ? `added agent ${oneLine(file ?? '')}`
      : problem === null
        ? `kept your agent ${oneLine(file ?? '')}`
        : `its agent is unavailable: ${oneLine(problem)}`
    const caution = isProved ? '' : ' Untested: its adapter has never run with the real CLI.'
    return `Found ${name} (${oneLine(program ?? '')}): ${agent}.${caution}`
  })
  const first = found.find(({ problem }) => problem === null)
  return first === undefined
    ? lines
    : [
        ...lines,
        `To give ${first.name} a card: --assignee ${first.name}. To see what each agent can do: muster agents check`,
      ]
}

function missingClisText({ clis }: MadeHome): string {
  const missing = clis.filter(({ program }) => program === null).map(({ name }) => name)
  if (missing.length === 0) return 'To add a team of agents: muster agents install starter'
  const none = missing.length === clis.length
  return none
    ? `No agent CLI is on your PATH (${missing.join(', ')}). Install one, then run muster init. To use another program: muster agents add`
    : `Not installed: ${missing.join(', ')}. After installing one, run muster init to add its agent.`
}
