/** Identifies the process that removes a folder, and checks whether another such process is alive. */
import { identitySchema } from '../../core/run.ts'
import type { SweepProcess } from './sweep-workspace.ts'
import { identify, isAlive } from '../../processes/identity.ts'
import type { Host } from '../../processes/identity.ts'

export function sweepProcess(host: Host): SweepProcess {
  const { id: machine, bootId, pidNamespace } = host.machine
  const own = identify(host, process.pid) ?? { machine, bootId, pidNamespace, pid: process.pid, startTime: 'unknown' }
  return {
    id: JSON.stringify(own),
    stateOf: (other) => {
      const identity = readIdentity(other)
      if (identity === null) return 'dead'
      if (identity.machine !== machine) return 'elsewhere'
      return isAlive(host, identity) ? 'living' : 'dead'
    },
  }
}

function readIdentity(text: string) {
  try {
    return identitySchema.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}
