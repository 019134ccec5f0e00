import { dispatchOnce } from '../../operations/dispatch-once.ts'
import { toggle, whole } from '../flags.ts'
import { dispatchLines } from '../render/dispatch.ts'
import { defineVerb } from '../verb.ts'

export const verb = defineVerb({
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
      call.notice('Waiting for what starts: Ctrl-C ends the waiting, not the runs.')
    // A dispatcher serves every board; only a board that was typed narrows it.
    const report = await dispatchOnce.run(call.local, { wait, max, nudge, dryRun, board: call.typedBoard })
    call.answer(report, dispatchLines(report))
    for (const warning of report.warnings) call.notice(warning)
  },
})
