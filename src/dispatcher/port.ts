/** The dispatcher as the surfaces call it. */
import type { Environment } from '../config/environment.ts'
import type { DispatchPort, DispatchTarget } from '../operations/machine/dispatch-port.ts'
import { thisHost } from '../processes/identity.ts'
import { dispatchOnce, previewOnce, runDispatcher } from './dispatcher.ts'
import type { DispatchContext } from './dispatch-context.ts'

export function makeDispatchPort({ env, supervisorPath }: { env: Environment; supervisorPath: string }): DispatchPort {
  const aim = (target: DispatchTarget, max: number | null = null): DispatchContext => ({
    ...target,
    env,
    supervisorPath,
    host: thisHost({ home: target.options.home }),
    max,
    lanePositions: null,
  })
  return {
    once: (target, { wait, max }, listener) => dispatchOnce(aim(target, max), { wait, listener }),
    preview: (target, { max }) => previewOnce(aim(target, max)),
    run: (target, listener, signals) => runDispatcher(aim(target), listener, signals),
  }
}
