/** `muster mcp`: the tools of a board for whoever started it, until they hang up. */
import type { Readable, Writable } from 'node:stream'
import type { InsideRun } from '../config/load.ts'
import type { BoardContext } from '../operations/operation.ts'
import { runBackend } from './run-backend.ts'
import { serve } from './serve.ts'
import { clientAt } from './stdio.ts'
import { storeBackend } from './store-backend.ts'

interface Served {
  readonly board: string
  /** Inside a run no store is opened: its supervisor answers. */
  readonly insideRun: InsideRun | null
  readonly open: (how: { makesHome: boolean }) => Promise<BoardContext>
}

export async function serveTools(
  { board, insideRun, open }: Served,
  { input, output, version }: { input: Readable; output: Writable; version: string },
): Promise<void> {
  const client = clientAt(input, output, version)
  if (insideRun === null) return serve(storeBackend(board, open), client)
  const backend = runBackend(insideRun, 'worker')
  await serve(backend, client)
  backend.close()
}
