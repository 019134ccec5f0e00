import { existsSync } from 'node:fs'
import { ownEnvironment } from '../../config/environment.ts'
import type { Options } from '../../config/load.ts'
import { BoardError } from '../../core/errors.ts'
import type { Store, TaskView } from '../../storage/store.ts'
import { newRunId } from '../../util/mint.ts'
import { CHECK_MS } from '../../supervisor/checks/check.ts'
import { checkEnvironment } from '../../supervisor/checks/environment.ts'
import { runChecks } from '../../supervisor/checks/run-checks.ts'
import { withSuiteLock } from '../../supervisor/checks/suite-lock.ts'
import { thisHost } from '../../processes/identity.ts'
import { workspacePath } from '../../workspaces/workspace.ts'
import { cardNow } from '../shared/act-on-card.ts'
import { checksOfAgent, withChecks } from '../agents/agent-checks.ts'
import { defineOperation } from '../shared/operation.ts'
import { resolveTask } from '../shared/resolve-task.ts'

/** Runs the checks of a card in the same way as a completion does, but stores nothing. */
export const checkTask = defineOperation({
  name: 'check',
  kind: 'local',
  actor: 'person',
  scope: 'card',
  summary: 'Run the checks of a card now, without changing the card.',
  schemas: ({ z, count, cardRef }) => {
    const checkResult = z.object({
      check: z.string(),
      ok: z.boolean(),
      fault: z.string().nullable(),
      exitCode: z.int().nullable(),
      signal: z.string().nullable(),
      timedOut: z.boolean(),
      durationMs: count,
      output: z.string(),
      leftOutBytes: count,
    })
    return {
      input: z.object({ task: cardRef }),
      output: z.array(checkResult).readonly(),
    }
  },
  run: async ({ options, openStore, signal }, { task: typed }) => {
    const { task, timeoutMs } = await read(await openStore('read'), options, typed)
    if (task.checks.length === 0) return []
    const workspace = checkFolder(task, options.home)
    // The checks get the id of a run that does not exist. So a check that calls `muster` behaves as in a real run.
    const run = newRunId()
    const host = thisHost()
    const place = {
      workspace,
      run,
      env: checkEnvironment(ownEnvironment(), { task, workspace, run, passed: [] }),
      timeoutMs,
      processes: host.processes,
      timeouts: options,
      signal: signal ?? new AbortController().signal,
    }
    return withSuiteLock({ home: options.home, host, ...place }, () => runChecks(task.checks, place))
  },
})

/** Reads the card. The store is closed again before the checks run. */
async function read(store: Store, options: Options, typed: string): Promise<{ task: TaskView; timeoutMs: number }> {
  try {
    const address = await resolveTask(store, typed)
    const [task, board] = await Promise.all([cardNow(store, address), store.board(address.board)])
    if (task.checks.length > 0 && !task.commandsApproved) throw unapproved(task)
    const asked = await checksOfAgent({ store, options }, task)
    return { task: withChecks(task, asked), timeoutMs: board?.settings.checkTimeoutMs ?? CHECK_MS }
  } finally {
    await store.close()
  }
}

const unapproved = ({ id, checks }: TaskView): BoardError =>
  new BoardError(
    'gate_closed',
    `An agent wrote the checks of ${id}, so they need your approval. To approve them: muster approve ${id} --commands`,
    { details: { id, checks } },
  )

function checkFolder({ id, board, workspace }: TaskView, home: string): string {
  const path = workspacePath(workspace, { home, board, task: id })
  if (path !== null && existsSync(path)) return path
  throw new BoardError(
    'wrong_status',
    `Card ${id} has no workspace on this machine. Its checks can run after the card has run here.`,
    {
      details: { id },
    },
  )
}
