import { dispatchOnce } from '../../../operations/machine/dispatch-once.ts'
import type { DispatchReport } from '../../../operations/machine/views.ts'
import type { PassListener } from '../../../operations/machine/dispatch-port.ts'
import type { Invocation } from '../../invocation.ts'
import { toggle, whole } from '../../flags.ts'
import { dispatchLines, dispatchValue, endLine, NOTHING, passLines, waitLines } from '../../render/dispatch.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'work',
  operation: dispatchOnce,
  flags: {
    wait: toggle('return when the runs it started have ended'),
    max: whole({ min: 0 }, 'start at most so many'),
    nudge: toggle('only tell the running dispatcher to look now'),
    dryRun: toggle('only say what would happen'),
  },
  examples: ['muster dispatch', 'muster dispatch --dry-run', 'muster dispatch --wait --board work'],
  without: { board: 'it is the common flag --board' },
  run: async (cli, { wait, max = null, nudge, dryRun }) => {
    if (wait && cli.world.terminal !== null)
      cli.notice('Waiting for runs to finish. Ctrl-C stops waiting; runs continue.')
    // A dispatcher serves every board; only a board that was typed narrows it.
    const input = { wait, max, nudge, dryRun, board: cli.typedBoard }
    if (cli.json || nudge || dryRun) {
      const report = await dispatchOnce.run(cli.local, input)
      cli.answer(dispatchValue(report), dispatchLines(report))
      return tellWarnings(cli, report)
    }
    const passListener = tellAsItGoes(cli)
    const report = await dispatchOnce.run({ ...cli.local, passListener }, input)
    passListener.onOver(report)
  },
})

/** A pass may take as long as its runs: whoever looks on sees each line when it is true. */
function tellAsItGoes(cli: Invocation): PassListener & { onOver(report: DispatchReport): void } {
  let silent = true
  const say = (lines: readonly string[]): void => {
    for (const line of lines) cli.world.stdout.write(`${line}\n`)
    if (lines.length > 0) silent = false
  }
  return {
    onPass: (report) => {
      say(passLines(report))
      tellWarnings(cli, report)
    },
    onEnd: (run) => say([endLine(run)]),
    onOver: (report) => {
      say(waitLines(report))
      if (silent) say([NOTHING])
    },
  }
}

function tellWarnings(cli: Invocation, { warnings }: DispatchReport): void {
  for (const warning of warnings) cli.notice(warning)
}
