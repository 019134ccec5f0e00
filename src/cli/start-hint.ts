/** What would keep a new card waiting without a word: nobody of that name here, or nothing that starts it. */
import type { Reason } from '../core/admission.ts'
import { isDispatched } from '../operations/is-dispatched.ts'
import type { Store, TaskView } from '../storage/store.ts'
import { nearest } from '../util/nearest.ts'
import { thisHost } from '../workers/identity.ts'
import { Preflight } from '../workers/preflight.ts'
import { readRoster } from '../workers/roster.ts'
import { findRunner, isUnknown } from '../workers/runner.ts'
import type { Call } from './call.ts'
import { oneLine } from './escape.ts'

/** What to do about it, or null. A hint that fails is no reason to trouble anybody. */
export async function startHint(call: Call, task: TaskView): Promise<string | null> {
  try {
    const { store } = await call.board('write')
    return (await unfitAgent(call, task)) ?? (await nothingDispatches(store, task))
  } catch {
    return null
  }
}

async function unfitAgent({ options: { home }, world: { env } }: Call, task: TaskView): Promise<string | null> {
  const { assignee } = task
  if (assignee === null) return null
  const roster = await readRoster(home, env)
  const name = oneLine(assignee)
  const found = findRunner(assignee, 'work', roster)
  if (!('gate' in found)) return wanting(await new Preflight(home).obstaclesFor(task, found, 'work'))
  if (!isUnknown(assignee, roster) || roster.unreadable !== null) return waits(found)
  const [told] = await new Preflight(home).obstacles(task, { name: assignee, phase: 'work' }, roster)
  if (told !== undefined && told.message !== found.message) return waits(told)
  const meant = nearest(assignee, [...roster.agents.keys()])
  const hint = meant === null ? '' : ` (did you mean ${meant}?)`
  return `No agent named ${name} on this machine${hint}: the card waits until ${oneLine(home)}/agents/${name}.md says how it works.`
}

/** What its agent's file asks for; a body may still come. */
function wanting(reasons: readonly Reason[]): string | null {
  const found = reasons.find(({ gate }) => gate === 'skill' || gate === 'model')
  return found === undefined ? null : waits(found)
}

const waits = ({ message, clears }: Reason): string => `The card waits: ${oneLine(message)}\n  → ${oneLine(clears)}`

/** On a server's store a dispatcher may be anywhere, so nothing is said there. */
async function nothingDispatches(store: Store, task: TaskView): Promise<string | null> {
  if (store.engine !== 'sqlite' || task.status !== 'ready' || task.assignee === null || task.held) return null
  if (await isDispatched(store, thisHost())) return null
  return 'Nothing is dispatching: muster up starts what is ready, and goes on with it.'
}
