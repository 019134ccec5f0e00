/**
 * Ends the tmux sessions that a run left behind. These are sessions whose environment names the run and whose panes are
 * all dead. A session with a live pane may be in use.
 */
import { runProgram } from '../../processes/run-program.ts'
import type { SupervisedRun } from '../supervised-run.ts'

const LIMITS = { maxBytes: 1024 * 1024, timeoutMs: 5_000 }

/** Ends the sessions. If tmux is missing or does not answer, nothing happens. */
export async function endSessions({ env, fence }: Pick<SupervisedRun, 'env' | 'fence'>): Promise<void> {
  const own = Object.fromEntries(['PATH', 'HOME', 'TMUX_TMPDIR'].map((name) => [name, env[name]]))
  const tmux = async (...args: string[]): Promise<string[]> => {
    const { code, stdout } = await runProgram('tmux', args, { cwd: '/', env: own, ...LIMITS })
    const lines = code === 0 ? stdout.toString().split('\n') : []
    return lines.filter((line) => line !== '')
  }
  for (const session of await tmux('list-sessions', '-F', '#{session_id}')) {
    const named = await tmux('show-environment', '-t', session, 'MUSTER_RUN')
    if (named[0] !== `MUSTER_RUN=${fence.runId}`) continue
    const panes = await tmux('list-panes', '-s', '-t', session, '-F', '#{pane_dead}')
    if (panes.length > 0 && panes.every((dead) => dead === '1')) await tmux('kill-session', '-t', session)
  }
}
