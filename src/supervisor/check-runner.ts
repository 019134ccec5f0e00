/**
 * Runs the checks of a card during its run and records the outcome. A caller that asks while they run gets the outcome
 * of these checks. `stop` ends the processes of the current checks without recording anything. After `close`, no checks
 * start.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { requiredChecks } from '../core/required-checks.ts'
import { CHECK_MS } from './checks/check.ts'
import { checkEnvironment } from './checks/environment.ts'
import { checkWorkspace } from './checks/check-workspace.ts'
import type { WorkspaceChecks, CheckedWorkspace } from './checks/check-workspace.ts'
import { failureOutput, failureSummary } from './checks/report.ts'
import { withSuiteLock } from './checks/suite-lock.ts'
import type { TaskView } from '../storage/store.ts'
import { firstLine } from '../core/text.ts'
import { endedByShutdown } from '../processes/shutdown.ts'
import { removeVerdict } from '../runs/files/verdict-file.ts'
import { enterWorkspace } from './workspace/enter-workspace.ts'
import type { SupervisedRun } from './supervised-run.ts'
import { SUPERVISOR } from './supervised-run.ts'
import { retryUntilAvailable, retryUntilShutdown } from './retry.ts'

export type CheckOutcome =
  /** `overtaken` means that the verdict was replaced or the run is over, so the outcome of the checks is ignored. */
  | { readonly kind: 'passed' | 'unneeded' | 'overtaken' }
  | { readonly kind: 'failed'; readonly summary: string; readonly output: string; readonly triesLeft: number }
  /** The checks did not run, because an agent wrote them and no person has approved them. */
  | { readonly kind: 'unapproved'; readonly summary: string }

const OVERTAKEN: CheckOutcome = { kind: 'overtaken' }

export class CheckRunner {
  /** Whether the agent is running. A running agent may change the workspace during the checks. */
  agentLives = true
  readonly #owned: SupervisedRun
  #closed = false
  #underWay: { readonly answer: Promise<CheckOutcome>; readonly cut: AbortController } | null = null

  constructor(owned: SupervisedRun) {
    this.#owned = owned
  }

  /**
   * Runs the checks. `onExit`: the agent exited without a verdict, which counts as complete. `isTurn`: the agent ended
   * a turn towards its goal, which counts neither as complete nor as a try.
   */
  check({ onExit = false, isTurn = false } = {}): Promise<CheckOutcome> {
    if (this.#closed) return Promise.resolve(OVERTAKEN)
    if (this.#underWay !== null) return this.#underWay.answer
    const cut = new AbortController()
    const answer = this.#run(cut.signal, { onExit: onExit || isTurn, isTurn })
      .catch((error: unknown) => {
        if (cut.signal.aborted) return OVERTAKEN
        throw error
      })
      .finally(() => (this.#underWay = null))
    // The caller may no longer wait for the answer. Without this handler, a failure would be an unhandled rejection.
    answer.catch(() => {})
    this.#underWay = { answer, cut }
    return answer
  }

  async idle(): Promise<void> {
    await this.#underWay?.answer.catch(() => {})
  }

  async stop(): Promise<void> {
    this.#underWay?.cut.abort()
    await this.idle()
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.stop()
  }

  async #run(signal: AbortSignal, { onExit, isTurn }: { onExit: boolean; isTurn: boolean }): Promise<CheckOutcome> {
    const { store, ticket, fence } = this.#owned
    const read = () =>
      Promise.all([store.task(ticket.board, ticket.task), store.board(ticket.board), store.run(fence.runId)])
    const [task, board, run] = await retryUntilAvailable(read, { signal })
    const checks = task === null ? [] : requiredChecks(task, run)
    if (task === null || checks.length === 0) return { kind: 'unneeded' }
    if (task.checks.length > 0 && !task.commandsApproved)
      return { kind: 'unapproved', summary: `its checks wait for approval: muster approve ${task.id} --commands` }
    const { tries = 0, output = null } = run?.checks ?? {}
    if (onExit && !isTurn && output !== null && tries >= (board?.settings.checkTries ?? Infinity))
      return { kind: 'failed', summary: firstLine(output, 400), output, triesLeft: 0 }
    const place = await this.#place(task, board?.settings.checkTimeoutMs ?? CHECK_MS, signal)
    const { host } = this.#owned
    const found = await withSuiteLock({ home: ticket.home, workspace: place.workspace, host, signal }, () =>
      checkWorkspace(checks, place, () => this.agentLives),
    )
    await this.#outliveShutdown(found, signal)
    return this.#record(found, checks, onExit)
  }

  /**
   * Waits for a shutdown signal. If a shutdown killed a check, this supervisor usually gets the signal soon too, and
   * the check must not count as failed.
   */
  async #outliveShutdown({ results }: WorkspaceChecks, signal: AbortSignal): Promise<void> {
    const { terminateGraceMs } = this.#owned.ticket
    if (results.some(({ exitCode: code, signal: by }) => endedByShutdown({ code, signal: by })))
      await sleep(terminateGraceMs, undefined, { signal })
    signal.throwIfAborted()
  }

  async #place(task: TaskView, timeoutMs: number, signal: AbortSignal): Promise<CheckedWorkspace> {
    const { ticket, fence, env, host } = this.#owned
    const { passEnvironment: passed } = ticket
    const { path: workspace } = await enterWorkspace({ ...this.#owned, task }, signal)
    const run = fence.runId
    return {
      workspace,
      content: { folder: workspace, home: ticket.home, workspace: task.workspace },
      run,
      env: checkEnvironment(env, { task, workspace, run, passed }),
      timeoutMs,
      processes: host.processes,
      timeouts: ticket,
      signal,
    }
  }

  /** Records the outcome. The store refuses the record if the verdict was replaced or the run is over. */
  async #record(
    { passed, results, contentHash }: WorkspaceChecks,
    checks: readonly string[],
    onExit: boolean,
  ): Promise<CheckOutcome> {
    const { store, ticket, fence, directory } = this.#owned
    const { board, task } = ticket
    const output = passed ? '' : failureOutput(results)
    const input = { task, fence, passed, contentHash, output, commands: [...checks], onExit }
    const recorded = await retryUntilShutdown(this.#owned, () =>
      store.decide({ verb: 'checks', board, actor: SUPERVISOR, input }),
    )
    if (!recorded.ok) return OVERTAKEN
    if (passed) return { kind: 'passed' }
    // The store has withdrawn the verdict, so the file with the verdict must not count any more.
    await removeVerdict(directory)
    return { kind: 'failed', summary: failureSummary(results), output, triesLeft: recorded.result.triesLeft }
  }
}
