/**
 * Replaces the socket server of a supervisor, without a network. A caller with the nonce is answered in the
 * supervisor's process.
 */
import type { RunServer, Service } from '../../../src/runs/socket/server.ts'
import { kernel, running } from '../kernel.ts'

export async function serveRun({ path, nonce, answer }: Service): Promise<RunServer> {
  const server = running()
  const { machine } = server
  const underWay = new Set<Promise<unknown>>()
  await kernel().call('listen', () => machine.disk.makeSocket(path))
  const socket = {
    server,
    nonce,
    answer: (op: string, input: unknown) => {
      const answered = answer(op, input)
      const over = answered.then(
        () => {},
        () => {},
      )
      underWay.add(over)
      void over.then(() => underWay.delete(over))
      return answered
    },
  }
  machine.sockets.set(path, socket)
  return {
    idle: async () => void (await Promise.all(underWay)),
    async close() {
      if (machine.sockets.get(path) !== socket) return
      machine.sockets.delete(path)
      await Promise.all(underWay)
      await kernel().call('unlisten', () => machine.disk.remove(path))
    },
  }
}
