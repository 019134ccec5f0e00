/** The lines that `muster up` prints at its start: what is running, the available agents, and the next command. */
import { readRoster } from '../agents/roster.ts'
import { findRunner } from '../agents/runner.ts'
import { CLIS, CLI_NAMES } from '../harnesses/detect/clis.ts'
import type { Store } from '../storage/store.ts'
import { oneLine } from './output/escape.ts'
import type { Invocation } from './invocation.ts'

export async function startLines(cli: Invocation, store: Store, drains: boolean): Promise<readonly string[]> {
  return [
    runningLine(cli, drains),
    await agentsLine(cli),
    `Next, in another terminal: ${await nextCommand(cli, store)}`,
  ]
}

/**
 * The line about running cards. With --board, it mentions that cards of other boards wait, because a machine has only
 * one dispatcher.
 */
function runningLine({ options: { home, machineCap }, typedBoard }: Invocation, drains: boolean): string {
  const which = typedBoard === null ? '' : ` of board ${typedBoard} only,`
  const onStop = drains ? 'Running agents finish first; press Ctrl-C again to quit.' : 'Running agents continue.'
  return `Running cards${which} from ${oneLine(home)}, up to ${machineCap} at a time. Press Ctrl-C to stop. ${onStop}`
}

async function agentsLine({ options: { home }, world: { env } }: Invocation): Promise<string> {
  const roster = await readRoster(home, env)
  const names = [...roster.agents.keys()].toSorted()
  const canRun = (name: string): boolean => !('code' in findRunner(name, 'assignee', roster))
  const [usable, broken] = [names.filter(canRun), names.filter((name) => !canRun(name))]
  const unavailable =
    broken.length === 0 ? '' : ` Unavailable: ${broken.map(oneLine).join(', ')}. For details: muster agents check`
  const hasCli = usable.some((name) => CLI_NAMES.some((cli) => cli === roster.agents.get(name)?.harness))
  return `Agents: ${usable.map(oneLine).join(', ')}.${unavailable}${hasCli || unavailable !== '' ? '' : ` ${NO_CLI}`}`
}

const NO_CLI = `No agent CLI was found. Install one (${CLI_NAMES.map((name) => CLIS[name].title).join(', ')}), then run: muster init`

async function nextCommand({ options: { board } }: Invocation, store: Store): Promise<string> {
  const cards = await store.tasks(board, { limit: 1 })
  return cards.length > 0 ? 'muster board' : 'muster create "Say hello" --assignee shell --body "echo hello"'
}
