/** Replaces `storage/open.ts` for simulated processes: each process gets its own connection to the shared store. */
import type { Store } from '../../../src/storage/store.ts'
import { kernel, running, system } from '../kernel.ts'

export const openStore = (): Promise<Store> => {
  const process = running()
  return kernel().call('open store', () => system().connect(process))
}
