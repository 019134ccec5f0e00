import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { bundleProgram, childEnvironment } from '../test/helpers/processes.ts'

/** Runs in a separate process, bundled like the product. */
export async function benchTick(): Promise<void> {
  const program = await bundleProgram('bench/programs/tick.ts')
  const child = spawn(process.execPath, [program], { stdio: 'inherit', env: childEnvironment() })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`the tick bench failed (${code})`)
}
