/** Replaces `src/processes/spawn.ts` for simulated processes: the arguments decide which program is simulated. */
import { EventEmitter } from 'node:events'
import type { PipedProcess, ProcessExit, StartRequest, StartedProcess } from '../../../src/processes/spawn.ts'
import { kernel, running, system } from '../kernel.ts'

/** Starts a process. The start sometimes fails, like on a system without free memory or processes. */
const start = (request: Omit<StartRequest, 'log'> & { readonly log?: string }) => {
  const parent = running()
  return kernel().call('spawn', () => system().launch(parent, request))
}

export async function startDetached(request: StartRequest): Promise<StartedProcess> {
  const process = running()
  process.machine.disk.touch(request.log)
  const child = await start(request)
  return { pid: child.pid, exited: kernel().awaitEnd(process, child), release: () => {} }
}

export async function startPiped(request: Omit<StartRequest, 'log'>): Promise<PipedProcess> {
  const process = running()
  const child = await start(request)
  const output = Object.assign(new EventEmitter(), { closed: false })
  const exited: Promise<ProcessExit> = kernel().awaitEnd(process, child)
  void exited.then(() => {
    output.closed = true
    output.emit('close')
  })
  return { pid: child.pid, exited, output: output as unknown as PipedProcess['output'], release: () => {} }
}

/** Simulated processes do not use this function. */
export const startInteractive = (): Promise<never> => Promise.reject(new Error('startInteractive is not simulated'))

/** A simulated machine has no system tools. */
export const readCommand = (): null => null
