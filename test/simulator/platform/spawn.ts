/** `src/processes/spawn.ts` for simulated processes: programs are known by what they are called with. */
import { EventEmitter } from 'node:events'
import type { Piped, ProcessExit, StartRequest, Started } from '../../../src/processes/spawn.ts'
import { kernel, running, system } from '../kernel.ts'

/** A system that is out of processes or memory refuses now and then. */
const start = (request: Omit<StartRequest, 'log'> & { readonly log?: string }) => {
  const parent = running()
  return kernel().call('spawn', () => system().launch(parent, request))
}

export async function startDetached(request: StartRequest): Promise<Started> {
  const process = running()
  process.machine.disk.touch(request.log)
  const child = await start(request)
  return { pid: child.pid, exited: kernel().awaitEnd(process, child), release: () => {} }
}

export async function startPiped(request: Omit<StartRequest, 'log'>): Promise<Piped> {
  const process = running()
  const child = await start(request)
  const output = Object.assign(new EventEmitter(), { closed: false })
  const exited: Promise<ProcessExit> = kernel().awaitEnd(process, child)
  void exited.then(() => {
    output.closed = true
    output.emit('close')
  })
  return { pid: child.pid, exited, output: output as unknown as Piped['output'], release: () => {} }
}

/** No simulated agent is spoken with. */
export const startConversing = (): Promise<never> => Promise.reject(new Error('startConversing is not simulated'))

/** There are no tools of the system on a simulated machine. */
export const readCommand = (): null => null
