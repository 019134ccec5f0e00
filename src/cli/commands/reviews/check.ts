import { checkTask } from '../../../operations/reviews/check-task.ts'
import { EXIT } from '../../output/printer.ts'
import { cardId } from '../../flags.ts'
import { checkLines } from '../../render/check-results.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'work',
  operation: checkTask,
  args: { id: cardId },
  examples: ['muster check t_4k2', 'muster check t_4k2 --json'],
  run: async (cli, { id }) => {
    // Checks run in their own sessions, so Ctrl-C does not reach them directly. This signal ends them.
    const stop = new AbortController()
    const forget = cli.world.onInterrupt(() => stop.abort())
    try {
      const results = await cli.perform(checkTask, { task: id }, { signal: stop.signal })
      cli.answer(results, results.length === 0 ? 'The card has no checks.' : checkLines(results))
      if (results.some(({ ok }) => !ok)) cli.exitCode = EXIT.failed
    } catch (error) {
      if (!stop.signal.aborted) throw error
      cli.exitCode = EXIT.failed
    } finally {
      forget()
    }
  },
})
