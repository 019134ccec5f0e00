/** Runs one command line inside the test process. */
import { main } from '../../src/cli/main.ts'
import type { World } from '../../src/cli/world.ts'

export interface Answer {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Given {
  readonly stdin?: string | Uint8Array
  readonly world?: Partial<World>
}

/** Runs one command line to its end, in this process. */
export async function runLine(
  argv: readonly string[],
  env: World['env'],
  { stdin = '', world = {} }: Given = {},
): Promise<Answer> {
  let stdout = ''
  let stderr = ''
  const code = await main({
    argv,
    env,
    version: '1.2.3',
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    terminal: null,
    // This is set as in the real program. Otherwise closing the store would collect all garbage, which takes ten times
    // as long.
    endsAfter: true,
    now: Date.now,
    readStdin: async () => Buffer.from(stdin),
    dispatcher: () => Promise.reject(new Error('this test has no dispatcher')),
    onInterrupt: () => () => {},
    ...world,
  })
  return { code, stdout, stderr }
}
