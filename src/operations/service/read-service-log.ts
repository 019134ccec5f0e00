import { followLog } from '../../service/follow-log.ts'
import { defineOperation } from '../shared/operation.ts'
import { serviceHost } from './service-host.ts'

/** Reads the log of the service. Each part of the log is passed on as progress. */
export const readServiceLog = defineOperation({
  name: 'service logs',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Show the log of the service.',
  schemas: ({ z, count }) => ({
    input: z.object({
      lines: count.default(100).describe('Show this many of the last lines (default: 100)'),
      follow: z.boolean().default(false).describe('Show new lines until Ctrl-C'),
    }),
    output: z.object({ lines: count }),
  }),
  run: async (context, { lines, follow }) => {
    let shown = 0
    const write = (text: string): void => {
      shown += text.split('\n').length - 1
      context.onProgress?.(text)
    }
    const signal = context.signal ?? new AbortController().signal
    await followLog(serviceHost(context), { lines, follow }, { write, signal })
    return { lines: shown }
  },
})
