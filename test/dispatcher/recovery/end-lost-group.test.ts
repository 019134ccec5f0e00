import { expect, test } from 'vitest'
import { BoardError } from '../../../src/core/errors.ts'
import type { LeaderContext } from '../../../src/dispatcher/dispatch-context.ts'
import { endLostGroup } from '../../../src/dispatcher/recovery/end-lost-group.ts'
import { RunWatch } from '../../../src/dispatcher/recovery/run-watch.ts'
import { identity, runOf, sampleRun } from '../../helpers/sample.ts'
import { tableOf } from '../../processes/process-table.ts'

test.concurrent.each(['store_corrupt', 'store_unreachable'] as const)(
  'processes of a lost run are ended even if the store fails with %s',
  async (code) => {
    const run = sampleRun({ identity: identity() })
    const environment = [`MUSTER_RUN=${run.id}`]
    const processes = tableOf([{ pid: 200, environment }], (table, pid) => table.remove(pid))
    const context = {
      store: { decide: () => Promise.reject(new BoardError(code, 'no')) },
      host: { machine: { id: 'laptop', bootId: 'boot-1', pidNamespace: null }, processes },
      options: { terminateGraceMs: 50, killWaitMs: 50 },
      leadership: { runWatch: new RunWatch('boot-1') },
    } as unknown as LeaderContext
    const fence = { runId: runOf('a'), tokenHash: 'token' }
    expect(await endLostGroup(context, run, { directory: null, fence, reason: 'interrupted' })).toEqual({
      found: true,
      left: [],
    })
    expect(processes.sent).toEqual([{ pid: 200, signal: 'SIGTERM' }])
  },
)
