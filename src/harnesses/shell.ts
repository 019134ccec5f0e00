/** Runs the body of the card as a script, without a model. Exit 0 completes the card. */
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
  // A second turn would run the script again, so there is none.
  resume: () => null,
}
