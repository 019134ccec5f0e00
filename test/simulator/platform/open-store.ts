/** The way to the store for simulated processes: each has its own connection to the one there is. */
import type { Store } from '../../../src/storage/store.ts'
import { kernel, running, system } from '../kernel.ts'

export const openStore = (): Promise<Store> => {
  const process = running()
  return kernel().call('open store', () => system().connect(process))
}
