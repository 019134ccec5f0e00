/** The first writing command on a machine makes what is missing, and says so once. */
import { initHome } from '../operations/machine/init-home.ts'
import type { MadeHome } from '../operations/machine/init-home.ts'
import type { Invocation } from './invocation.ts'
import { oneLine } from './escape.ts'

export async function makeHome(cli: Invocation): Promise<void> {
  const made = await initHome.run(cli.local, {})
  if (made.created) cli.notice([madeWords(made), ...foundWords(made), nextWords()].join('\n'))
}

const TRY = 'muster create "Say hello" --assignee shell --body "echo hello"'

/** What `init` answers: what is there, what was found, and how to go on. */
export function initAnswer(made: MadeHome): string {
  const isNew = made.created || made.clis.some(({ written }) => written)
  const head = made.created ? madeWords(made) : isNew ? [] : `Everything is there already, in ${oneLine(made.home)}.`
  return [head, foundWords(made), missingWords(made), made.created ? nextWords() : []].flat().join('\n')
}

const madeWords = ({ home }: MadeHome): string => `Made a home for your boards in ${oneLine(home)}.`

const nextWords = (): string => `Next: ${TRY}, then muster up.`

function foundWords({ clis }: MadeHome): readonly string[] {
  const found = clis.filter(({ program }) => program !== null)
  const lines = found.map(({ name, program, file, written, problem, isProved }) => {
    const agent = written
      ? `wrote its agent, ${oneLine(file ?? '')}`
      : problem === null
        ? `its agent stays as it is, ${oneLine(file ?? '')}`
        : `its agent cannot be used: ${oneLine(problem)}`
    const caution = isProved ? '' : ' Not proved: its adapter was never run with the program itself.'
    return `Found ${name} (${oneLine(program ?? '')}): ${agent}.${caution}`
  })
  const first = found.find(({ problem }) => problem === null)
  return first === undefined
    ? lines
    : [...lines, `Give one a card with --assignee ${first.name}; muster agents check says what each can do here.`]
}

function missingWords({ clis }: MadeHome): string {
  const missing = clis.filter(({ program }) => program === null).map(({ name }) => name)
  if (missing.length === 0) return 'muster agents install starter adds a team of agents.'
  const none = missing.length === clis.length
  return none
    ? `Found no agent CLI on the PATH (${missing.join(', ')}): install one, and muster init writes its agent. Any other program: muster agents add.`
    : `Not found: ${missing.join(', ')}. Once ${missing.length === 1 ? 'it' : 'one'} is installed, muster init writes its agent too.`
}
