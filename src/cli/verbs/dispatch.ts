import { dispatchOnce } from '../../operations/dispatch-once.ts'
import type { CommonFlags } from '../call.ts'
import type { ConfigureVerb } from '../commands.ts'
import { dispatchLines } from '../render.ts'

interface DispatchFlags extends CommonFlags {
  readonly wait?: boolean
  readonly dryRun?: boolean
}

export const configure: ConfigureVerb = (command, begin) => {
  command
    .option('--wait', 'return when the runs it started have ended')
    .option('--dry-run', 'only say what would happen')
    .action(async ({ wait = false, dryRun = false }: DispatchFlags) => {
      const call = begin()
      const { board } = command.optsWithGlobals<DispatchFlags>()
      // A dispatcher serves every board; only a board that was typed narrows it.
      const report = await dispatchOnce.run(call.local, { wait, dryRun, board: board ?? null })
      call.answer(report, dispatchLines(report))
    })
}
