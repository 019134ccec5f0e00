/** The dispatcher as the surfaces call it. */
import type { Environment } from '../config/environment.ts'
import type { DispatchPort, DispatchTarget } from '../operations/dispatch-port.ts'
import { thisHost } from '../workers/identity.ts'
import { dispatchOnce, runDispatcher } from './dispatcher.ts'
import type { Dispatching } from './dispatching.ts'
import { preview } from './preview.ts'

export function makeDispatchPort({ env, supervisorPath }: { env: Environment; supervisorPath: string }): DispatchPort {
  const host = thisHost()
  const aim = (target: DispatchTarget): Dispatching => ({ ...target, env, supervisorPath, host })
  return {
    once: (target, how) => dispatchOnce(aim(target), how),
    preview: (target) => preview(aim(target)),
    run: (target, listener, signal) => runDispatcher(aim(target), listener, signal),
  }
}
