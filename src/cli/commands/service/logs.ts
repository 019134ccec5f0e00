import { readServiceLog } from '../../../operations/service/read-service-log.ts'
import { defineCommand } from '../../command.ts'
import { multiLine } from '../../output/escape.ts'
import { toggle, whole } from '../../flags.ts'

export const command = defineCommand({
  group: 'keep',
  operation: readServiceLog,
  flags: { follow: toggle(), lines: whole({ min: 1 }) },
  examples: ['muster service logs', 'muster service logs --follow', 'muster service logs --lines 20'],
  run: async (cli, { follow, lines = 100 }) => {
    const stop = new AbortController()
    const end = (): void => stop.abort()
    const forget = [cli.world.onInterrupt(end), cli.world.onOutputClosed?.(end)]
    const onProgress = (text: string): void => void cli.world.stdout.write(multiLine(text))
    try {
      await cli.perform(readServiceLog, { lines, follow }, { signal: stop.signal, onProgress })
    } finally {
      for (const each of forget) each?.()
    }
  },
})
