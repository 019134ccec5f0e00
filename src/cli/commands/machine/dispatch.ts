import { dispatchOnce } from '../../../operations/machine/dispatch-once.ts'
import type { DispatchReport } from '../../../operations/machine/dispatch-once.schema.ts'
import type { PassListener } from '../../../operations/machine/dispatch-port.ts'
import type { Call } from '../../call.ts'
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
  run: async (call, { wait, max = null, nudge, dryRun }) => {
    if (wait && call.world.terminal !== null)
      call.notice('Waiting for runs to finish. Ctrl-C stops waiting; runs continue.')
    // A dispatcher serves every board; only a board that was typed narrows it.
    const input = { wait, max, nudge, dryRun, board: call.typedBoard }
    if (call.json || nudge || dryRun) {
      const report = await dispatchOnce.run(call.local, input)
      call.answer(dispatchValue(report), dispatchLines(report))
      return tellWarnings(call, report)
    }
    const passListener = tellAsItGoes(call)
    const report = await dispatchOnce.run({ ...call.local, passListener }, input)
    passListener.onOver(report)
  },
})

/** A pass may take as long as its runs: whoever looks on sees each line when it is true. */
function tellAsItGoes(call: Call): PassListener & { onOver(report: DispatchReport): void } {
  let silent = true
  const say = (lines: readonly string[]): void => {
    for (const line of lines) call.world.stdout.write(`${line}\n`)
    if (lines.length > 0) silent = false
  }
  return {
    onPass: (report) => {
      say(passLines(report))
      tellWarnings(call, report)
    },
    onEnd: (run) => say([endLine(run)]),
    onOver: (report) => {
      say(waitLines(report))
      if (silent) say([NOTHING])
    },
  }
}

function tellWarnings(call: Call, { warnings }: DispatchReport): void {
  for (const warning of warnings) call.notice(warning)
}
