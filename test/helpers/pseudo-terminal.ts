/** Makes a real terminal for a test. The program `script` runs a shell with job control in it. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { onTestFinished } from 'vitest'
import { shownScreen } from './shown-screen.ts'
import type { ShownScreen } from './shown-screen.ts'

/** Why this machine cannot make a terminal. Null means that it can. */
export const noTerminal: string | null = spawnSync('script', ['--version']).error === undefined ? null : 'no script(1)'

export interface PseudoTerminal {
  /** Returns everything that was printed. */
  output(): string
  screen(): ShownScreen
  /** Types text, such as `q` or a line for the shell. */
  type(text: string): void
  resize(columns: number, rows: number): void
}

const SIZE = process.platform === 'darwin' ? 'stty -f' : 'stty -F'

export async function openTerminal(
  env: NodeJS.ProcessEnv,
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Promise<PseudoTerminal> {
  // The shell prints the name of its terminal, so that the test can resize the terminal from outside.
  const shell = `stty cols ${columns} rows ${rows}; echo "tty=$(tty)."; exec sh -i`
  const argv = process.platform === 'darwin' ? ['-q', '/dev/null', 'sh', '-c', shell] : ['-qfc', shell, '/dev/null']
  const child = spawn('script', argv, { env: { ...env, PS1: '$ ', ENV: '', TERM: 'xterm-256color', SHELL: '/bin/sh' } })
  let output = ''
  child.stdout.on('data', (bytes: Buffer) => (output += bytes.toString()))
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended
  })
  while (!/tty=.*\./.test(output)) await once(child.stdout, 'data')
  const [, device = ''] = /tty=(.*)\./.exec(output) ?? []
  return {
    output: () => output,
    screen: () => shownScreen(output),
    type: (text) => child.stdin.write(text),
    resize: (wide, high) => void spawnSync('sh', ['-c', `${SIZE} ${device} cols ${wide} rows ${high}`]),
  }
}
