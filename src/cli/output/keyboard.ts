/** The keyboard of a terminal: every key press is read at once and is not printed. */
import { StringDecoder } from 'node:string_decoder'
import type { ReadStream } from 'node:tty'

export interface Keyboard {
  /** Reads keys until the returned function is called. */
  listen(onText: (text: string) => void): () => void
  /** Suspends the process, as Ctrl-Z does. Resolves when a shell has continued it. */
  suspend(): Promise<void>
  /** Calls back when the process continues after a signal suspended it. */
  onContinue(callback: () => void): () => void
}

export const keyboardOf = (stdin: ReadStream): Keyboard => ({
  listen: (onText) => {
    // A character may be split between two chunks.
    const decoder = new StringDecoder('utf8')
    const onData = (bytes: Buffer): void => onText(decoder.write(bytes))
    stdin.setRawMode(true)
    stdin.on('data', onData)
    stdin.resume()
    return () => {
      stdin.off('data', onData)
      stdin.setRawMode(false)
      stdin.pause()
    }
  },
  suspend: () =>
    new Promise((resolve) => {
      process.once('SIGCONT', () => resolve())
      // The signal goes to the group, which includes programs that started this process, such as npx.
      process.kill(0, 'SIGTSTP')
    }),
  onContinue: (callback) => {
    process.on('SIGCONT', callback)
    return () => process.off('SIGCONT', callback)
  },
})
