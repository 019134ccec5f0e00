import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { bundleProgram, childEnvironment } from '../test/helpers/processes.ts'

/** Runs in a process of its own, bundled as the product is: what is measured is the code, not its loader. */
export async function benchLifecycle(postgresUrl: string): Promise<void> {
  const program = await bundleProgram('bench/programs/lifecycle.ts')
  const child = spawn(process.execPath, [program, postgresUrl], { stdio: 'inherit', env: childEnvironment() })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) throw new Error(`the lifecycle bench failed (${code})`)
}
