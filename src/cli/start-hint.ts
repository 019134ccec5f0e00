/**
 * Warns about a new card that would wait without notice: its agent cannot run here, a pause or active hours hold it
 * back, or Muster is not running.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gateOf } from '../core/reasons/reason.ts'
import type { Obstacle, Reason, ReasonCode } from '../core/reasons/reason.ts'
import { withRemedies } from '../core/reasons/remedies.ts'
import { isReady } from '../core/status.ts'
import { dispatcherOf, findDispatchers } from '../operations/machine/dispatcher-state.ts'
import { machineTrouble } from '../operations/machine/machine-trouble.ts'
import type { Store, TaskView } from '../storage/store.ts'
import { CLI_NAMES, cliNamed } from '../harnesses/detect/clis.ts'
import { nearest } from '../util/nearest.ts'
import { shellWord } from '../util/shell-word.ts'
import { thisHost } from '../processes/identity.ts'
import { Preflight } from '../agents/preflight.ts'
import { readRoster } from '../agents/roster.ts'
import { findRunner, isUnknown } from '../agents/runner.ts'
import type { Invocation } from './invocation.ts'
import { oneLine } from './output/escape.ts'
import { PLACEHOLDER } from './parse.ts'

/**
 * Returns the warning, or null if the card needs no warning. Errors of this function are ignored, because the card is
 * already created.
 */
export async function startHint(cli: Invocation, task: TaskView): Promise<string | null> {
  try {
    if (cli.remote !== null) return await remoteWarning(cli, task)
    const { store } = await cli.board('write')
    const fault = (await agentWarning(cli, task)) ?? folderWarning(task)
    if (fault !== null) return fault
    const waits = [...(await pauseWarnings(cli, store, task)), await notRunningWarning(cli, store, task)]
    return waits.filter((warning) => warning !== null).join('\n') || null
  } catch {
    return null
  }
}

/** Asks the server why the card waits, because only the server knows its agents and folders. */
async function remoteWarning(cli: Invocation, task: TaskView): Promise<string | null> {
  if (!isReady(task.status) || task.held || task.assignee === null) return null
  const [{ explainTask }, { reasonSentence: sentence, wayOut }] = await Promise.all([
    import('../operations/cards/explain-task.ts'),
    import('./render/reason-text.ts'),
  ])
  const { reasons } = await cli.ask(explainTask, { task: task.id })
  const warning = (reason: Reason): string => `The card waits: ${sentence(reason)}\n  → ${wayOut(reason)}`
  const agent = reasons.find(({ gate }) => SETUP_GATES.has(gate)) ?? reasons.find(({ gate }) => AGENT_GATES.has(gate))
  if (agent !== undefined) return warning(agent)
  const pauses = reasons.filter(({ code }) => PAUSES.has(code)).map(warning)
  const trouble = reasons.find(({ gate, code }) => gate === 'dispatcher' && !DISPATCHED.has(code))
  const stopped = reasons.some(({ code }) => code === 'no_dispatcher') ? [NOT_RUNNING] : []
  return [...pauses, ...(trouble === undefined ? stopped : [warning(trouble)])].join('\n') || null
}

const SETUP_GATES: ReadonlySet<string> = new Set(['skill', 'model'])
const AGENT_GATES: ReadonlySet<string> = new Set(['assignee', 'harness'])
const DISPATCHED: ReadonlySet<ReasonCode> = new Set(['no_dispatcher', 'next_pass'])
const NOT_RUNNING = "Muster isn't running. Start it with: muster up"

async function agentWarning({ options: { home }, world: { env } }: Invocation, task: TaskView): Promise<string | null> {
  const { assignee } = task
  if (assignee === null) return null
  const roster = await readRoster(home, env)
  const name = oneLine(assignee)
  const found = findRunner(assignee, 'assignee', roster)
  if (!('code' in found)) return setupWarning(task, await new Preflight(home).obstaclesFor(task, found, 'work'))
  if (!isUnknown(assignee, roster) || roster.unreadable !== null) return waitWarning(task, found)
  const absence = await new Preflight(home).explainUnknown(task, found)
  if (absence.code !== found.code || cliNamed(assignee) !== null) return waitWarning(task, absence)
  const meant = nearest(assignee, [...roster.agents.keys(), ...CLI_NAMES])
  const hint =
    meant === null
      ? ' To list the agents: muster agents'
      : ` Did you mean ${meant}? Then run: muster assign ${task.id} ${shellWord(meant)}`
  return `Agent ${name} does not exist on this machine, so the card waits until you add ${oneLine(home)}/agents/${name}.md.${hint}`
}

/** Warns if the folder or repository of the card does not exist. Runs would fail and count as failures of the card. */
function folderWarning({ id, workspace: { kind, path, repo } }: TaskView): string | null {
  const folder = kind === 'dir' ? path : kind === 'worktree' ? repo : null
  if (folder === null) return null
  const edit = `muster edit ${id} --workspace ${PLACEHOLDER}`
  if (!existsSync(folder))
    return `Warning: the folder ${oneLine(folder)} does not exist, so runs of this card fail. Create it, or run: ${edit}`
  if (kind === 'dir' || isInRepository(folder)) return null
  return `Warning: ${oneLine(folder)} is not a git repository, so runs of this card fail. Run git init there, or run: ${edit}`
}

/** Whether a folder is inside a repository. A bare repository has a file `HEAD` but no `.git`. */
function isInRepository(folder: string): boolean {
  if (existsSync(join(folder, '.git')) || existsSync(join(folder, 'HEAD'))) return true
  return dirname(folder) !== folder && isInRepository(dirname(folder))
}

/** Warns about skills, model and effort, and about a script without a body. */
async function setupWarning(task: TaskView, found: readonly Obstacle[]): Promise<string | null> {
  const first = found.find((one) => SETUP_GATES.has(gateOf(one))) ?? found.find(({ code }) => code === 'body_missing')
  return first === undefined ? null : waitWarning(task, first)
}

/** The warning about a card that waits. The sentences are loaded only in this case. */
async function waitWarning(task: TaskView, found: Obstacle): Promise<string> {
  const { reasonSentence: sentence, wayOut } = await import('./render/reason-text.ts')
  const reason = withRemedies(found, { task, openParents: Array(task.openParents).fill(null) })
  return `The card waits: ${sentence(reason)}\n  → ${wayOut(reason)}`
}

const PAUSES: ReadonlySet<ReasonCode> = new Set(['outside_hours', 'paused', 'account_paused'])

/** Warns about a paused board, agent, account or machine, and about active hours. */
async function pauseWarnings(cli: Invocation, store: Store, task: TaskView): Promise<readonly string[]> {
  if (!isReady(task.status) || task.held || !(await mayPause(cli, store, task))) return []
  const [{ explainTask }, { reasonSentence: sentence, wayOut }] = await Promise.all([
    import('../operations/cards/explain-task.ts'),
    import('./render/reason-text.ts'),
  ])
  const { reasons } = await cli.ask(explainTask, { task: task.id })
  const now = await store.now()
  return reasons
    .filter(({ code }) => PAUSES.has(code))
    .map((reason) => `The card waits: ${sentence(reason)}\n  → ${wayOut(reason, now)}`)
}

/**
 * Whether anything is paused or has active hours. Most stores have neither pauses nor active hours, so the reasons need
 * not be loaded.
 */
async function mayPause({ options: { home } }: Invocation, store: Store, task: TaskView): Promise<boolean> {
  const [slots, accounts, board] = await Promise.all([store.slots(), store.accounts(), store.board(task.board)])
  if (slots.some(({ pausedAt }) => pausedAt !== null)) return true
  if (accounts.some(({ pauseCause }) => pauseCause !== null)) return true
  if (board !== null && (board.settings.activeHours ?? null) !== null) return true
  const { agents } = await readRoster(home)
  return [...agents.values()].some(({ activeHours }) => activeHours !== null)
}

/**
 * Warns if no dispatcher would start the card. A new card has no files on a machine, so the dispatcher of any machine
 * may start it.
 */
async function notRunningWarning(
  { options: { home } }: Invocation,
  store: Store,
  task: TaskView,
): Promise<string | null> {
  if (!isReady(task.status) || task.assignee === null || task.held) return null
  const host = thisHost()
  const state = dispatcherOf(await findDispatchers(store, host), null, host)
  const [trouble] = await machineTrouble(home, state)
  if (trouble !== undefined) return waitWarning(task, trouble)
  return state.is === 'active' ? null : NOT_RUNNING
}
