import { expect, test } from 'vitest'
import { BoardError } from '../../src/core/errors.ts'
import type { Leading } from '../../src/dispatcher/dispatching.ts'
import { endLostGroup } from '../../src/dispatcher/end-lost-group.ts'
import { Vigil } from '../../src/dispatcher/vigil.ts'
import { identity, runOf, sampleRun } from '../helpers/sample.ts'
import { tableOf } from '../processes/process-table.ts'

test.concurrent.each(['store_corrupt', 'store_unreachable'] as const)(
  'processes without a supervisor end, whatever the store says (%s)',
  async (code) => {
    const run = sampleRun({ identity: identity() })
    const environment = [`MUSTER_RUN=${run.id}`]
    const processes = tableOf([{ pid: 200, environment }], (table, pid) => table.remove(pid))
    const leading = {
      store: { decide: () => Promise.reject(new BoardError(code, 'no')) },
      host: { machine: { id: 'laptop', bootId: 'boot-1', pidNamespace: null }, processes },
      options: { terminateGraceMs: 50, killWaitMs: 50 },
      lead: { vigil: new Vigil('boot-1') },
    } as unknown as Leading
    const fence = { runId: runOf('a'), tokenHash: 'token' }
    expect(await endLostGroup(leading, run, { directory: null, fence, reason: 'interrupted' })).toEqual({
      found: true,
      left: [],
    })
    expect(processes.sent).toEqual([{ pid: 200, signal: 'SIGTERM' }])
  },
)
