import { dispatchOnce } from '../../../operations/machine/dispatch-once.ts'
import type { DispatchReport } from '../../../operations/machine/views.ts'
import type { PassListener } from '../../../operations/machine/dispatch-port.ts'
import type { Invocation } from '../../invocation.ts'
import { toggle, whole } from '../../flags.ts'
import {
  dispatchLines,
  dispatchValue,
  endLine,
  failedRuns,
  failureLine,
  NOTHING_TO_DO,
  passLines,
  waitLines,
} from '../../render/dispatch.ts'
import { EXIT } from '../../output/printer.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'work',
  operation: dispatchOnce,
  summary: 'Start ready cards once and exit. Also ends lost runs and wakes scheduled cards.',
  flags: {
    wait: toggle('wait for the started runs to end'),
    max: whole({ min: 0 }, 'start at most this many cards'),
    nudge: toggle('start nothing; ask a running "muster up" to look for cards'),
    dryRun: toggle('show what would start, without starting it'),
  },
  brief: 'Start ready cards once, then exit',
  examples: ['muster dispatch', 'muster dispatch --dry-run', 'muster dispatch --wait --board work'],
  without: { board: '--board is a common flag' },
  run: async (cli, { wait, max = null, nudge, dryRun }) => {
    // Without --board, the pass starts cards of every board.
    const input = { wait, max, nudge, dryRun, board: cli.typedBoard }
    if (cli.json || nudge || dryRun) {
      const report = await cli.perform(dispatchOnce, input)
      cli.hasChanged = !dryRun
      if (wait) reportFailures(cli, report)
      cli.answer(dispatchValue(report), dispatchLines(report, { dryRun }))
      return printWarnings(cli, report)
    }
    const passListener = passPrinter(cli, wait)
    const report = await cli.perform(dispatchOnce, input, { passListener })
    cli.hasChanged = true
    try {
      passListener.onOver(report)
    } finally {
      if (wait) reportFailures(cli, report)
    }
  },
})

/** Sets the exit code, so that a script that waits for runs can see whether they succeeded. */
function reportFailures(cli: Invocation, report: DispatchReport): void {
  const failed = failedRuns(report)
  if (failed.length === 0) return
  cli.exitCode = EXIT.failed
  cli.notice(`muster: ${failureLine(failed)}`)
}

/** Prints each line when its event happens, because a pass with --wait takes as long as its runs. */
function passPrinter(cli: Invocation, wait: boolean): PassListener & { onOver(report: DispatchReport): void } {
  let isEmpty = true
  const lost: { error: Error | null } = { error: null }
  /** If the output cannot be written, the pass continues. The error is reported when the runs have ended. */
  const print = (lines: readonly string[]): void => {
    try {
      if (lost.error === null) for (const line of lines) cli.world.stdout.write(`${line}\n`)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      lost.error = error
    }
    if (lines.length > 0) isEmpty = false
  }
  return {
    onPass: (report) => {
      print(passLines(report))
      printWarnings(cli, report)
      if (wait && report.started.length > 0 && cli.world.terminal !== null)
        cli.notice('Waiting for runs to finish. Ctrl-C stops waiting; runs continue.')
    },
    onEnd: (run) => print([endLine(run)]),
    onOver: (report) => {
      print(waitLines(report))
      if (isEmpty) print([NOTHING_TO_DO])
      if (lost.error !== null) throw lost.error
    },
  }
}

function printWarnings(cli: Invocation, { warnings }: DispatchReport): void {
  for (const warning of warnings) cli.notice(warning)
}
