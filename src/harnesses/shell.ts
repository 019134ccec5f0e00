/** Runs the body of the card as a script, without a model. Exit code 0 completes the card. */
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
  // A script has no second turn, because a second turn would run the script again.
  resume: () => null,
}
