/** The body of the card is the script: no model, no instruction. Exit 0 completes the card. */
import type { Adapter } from './harness.ts'

export const adapter: Adapter = {
  readLine: null,
  launch: ({ task, directory }) => {
    const script = task.body ?? ''
    return {
      argv: script.startsWith('#!') ? [directory.body] : ['/bin/sh', directory.body],
      files: [{ path: directory.body, content: script.endsWith('\n') ? script : `${script}\n`, mode: 0o700 }],
      stdin: null,
    }
  },
  // A script that has ended is over: running it again would do everything twice.
  resume: () => null,
}
