/** The composition root of the command line: opens, wires, runs. */
import { fstatSync, statSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { main } from './cli/main.ts'
import type { World } from './cli/world.ts'
import packageFile from '../package.json' with { type: 'json' }

export async function run(argv: readonly string[], folder: string): Promise<void> {
  process.exitCode = await main({
    argv,
    env: process.env,
    version: packageFile.version,
    stdout: outputTo(1),
    stderr: outputTo(2),
    terminal: terminal(),
    endsAfter: true,
    now: Date.now,
    readStdin: () => buffer(process.stdin),
    dispatcher: async () => {
      const { makeDispatchPort } = await import('./dispatcher/port.ts')
      return makeDispatchPort({ env: process.env, supervisorPath: join(folder, 'supervisor.js') })
    },
    onInterrupt: (callback) => {
      const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
      for (const signal of signals) process.once(signal, callback)
      return () => {
        for (const signal of signals) process.off(signal, callback)
      }
    },
    onOutputClosed: (callback) => {
      const listener = (error: NodeJS.ErrnoException): void => (error.code === 'EPIPE' ? callback() : undefined)
      process.stdout.on('error', listener)
      return () => process.stdout.off('error', listener)
    },
  })
}

/** Only a device can be a terminal, and the empty one is none: asking the stream itself would load it, for 2 ms. */
function terminal(): World['terminal'] {
  const stat = fstatSync(1)
  if (!stat.isCharacterDevice() || stat.rdev === statSync('/dev/null').rdev || !process.stdout.isTTY) return null
  return {
    // Asked each time: a window may be resized while a view is open.
    get columns() {
      return process.stdout.columns
    },
    get rows() {
      return process.stdout.rows
    },
    colors: !process.env['NO_COLOR'],
  }
}

/**
 * Straight to the descriptor. What it cannot take at once goes through the stream, which waits; a reader that went away
 * (`muster list | head`) is no error.
 */
function outputTo(descriptor: 1 | 2): World['stdout'] {
  let stream: NodeJS.WriteStream | null = null
  const write = (bytes: Buffer): void => {
    if (stream !== null) return void stream.write(bytes)
    try {
      const written = writeSync(descriptor, bytes)
      if (written < bytes.length) write(bytes.subarray(written))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EPIPE') return
      if (code !== 'EAGAIN') throw error
      stream = descriptor === 1 ? process.stdout : process.stderr
      stream.on('error', (later: NodeJS.ErrnoException) => {
        if (later.code !== 'EPIPE') throw later
      })
      stream.write(bytes)
    }
  }
  return { write: (text) => write(Buffer.from(text)) }
}
