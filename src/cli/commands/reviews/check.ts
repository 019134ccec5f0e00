import { checkTask } from '../../../operations/reviews/check-task.ts'
import { EXIT } from '../../exit-codes.ts'
import { cardId } from '../../flags.ts'
import { checkLines } from '../../render/check-results.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'work',
  operation: checkTask,
  args: { id: cardId },
  examples: ['muster check t_4k2', 'muster check t_4k2 --json'],
  run: async (call, { id }) => {
    // Checks lead sessions of their own, so a Ctrl-C reaches them through us alone.
    const stop = new AbortController()
    const forget = call.world.onInterrupt(() => stop.abort())
    try {
      const results = await checkTask.run({ ...call.local, signal: stop.signal }, { task: id })
      call.answer(results, results.length === 0 ? 'It has no checks.' : checkLines(results))
      if (results.some(({ ok }) => !ok)) call.exitCode = EXIT.failed
    } catch (error) {
      if (!stop.signal.aborted) throw error
      call.exitCode = EXIT.failed
    } finally {
      forget()
    }
  },
})
