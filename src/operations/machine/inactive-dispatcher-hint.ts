import type { Run } from '../../core/run.ts'
import type { Store } from '../../storage/store.ts'
import { thisHost } from '../../processes/identity.ts'
import { dispatcherOf, findDispatchers, inactiveText } from './dispatcher-state.ts'

/**
 * A hint for a run that should end but continues. Only a dispatcher can end a run whose supervisor hangs. So the hint
 * is empty if a dispatcher is active.
 */
export async function inactiveDispatcherHint(store: Store, { machine }: Run): Promise<string> {
  try {
    const host = thisHost()
    const state = dispatcherOf(await findDispatchers(store, host), machine, host)
    return state.is === 'active' ? '' : ` If its supervisor hangs, only Muster can end the run. ${inactiveText(state)}`
  } catch {
    // The error is ignored, because the hint is optional.
    return ''
  }
}
