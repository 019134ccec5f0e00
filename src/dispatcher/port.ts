/** The interface through which the command line and the server call the dispatcher. */
import type { Environment } from '../config/environment.ts'
import type { DispatchPort, DispatchTarget } from '../operations/machine/dispatch-port.ts'
import { thisHost } from '../processes/identity.ts'
import { dispatchOnce, previewOnce, runDispatcher } from './dispatcher.ts'
import type { DispatchContext } from './dispatch-context.ts'

interface Program extends Pick<DispatchContext, 'onCopy'> {
  readonly env: Environment
  readonly supervisorPath: string
}

export function makeDispatchPort({ env, supervisorPath, onCopy }: Program): DispatchPort {
  const contextFor = (target: DispatchTarget, max: number | null = null): DispatchContext => ({
    ...target,
    env,
    supervisorPath,
    ...(onCopy !== undefined && { onCopy }),
    host: thisHost({ home: target.options.home }),
    max,
    lanePositions: null,
  })
  return {
    once: (target, { wait, max }, listener) => dispatchOnce(contextFor(target, max), { wait, listener }),
    preview: (target, { max }) => previewOnce(contextFor(target, max)),
    run: (target, listener, signals) => runDispatcher(contextFor(target), listener, signals),
  }
}
