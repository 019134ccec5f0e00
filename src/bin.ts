#!/usr/bin/env node
/** The composition root: opens, wires, runs. */
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { main } from './cli/main.ts'
import packageFile from '../package.json' with { type: 'json' }

const supervisorPath = fileURLToPath(new URL('./supervisor.js', import.meta.url))

// `muster list | head` closes the pipe early; that is no error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await main({
  argv: process.argv.slice(2),
  env: process.env,
  version: packageFile.version,
  stdout: process.stdout,
  stderr: process.stderr,
  terminal: process.stdout.isTTY
    ? { columns: process.stdout.columns, rows: process.stdout.rows, colors: !process.env['NO_COLOR'] }
    : null,
  now: Date.now,
  readStdin: () => buffer(process.stdin),
  dispatcher: async () => {
    const { makeDispatchPort } = await import('./dispatcher/port.ts')
    return makeDispatchPort({ env: process.env, supervisorPath })
  },
  onInterrupt: (callback) => {
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const
    for (const signal of signals) process.once(signal, callback)
    return () => {
      for (const signal of signals) process.off(signal, callback)
    }
  },
})
