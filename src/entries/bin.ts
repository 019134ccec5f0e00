#!/usr/bin/env node
/** Starts the command line. For `--version`, no other code is loaded. */
import { writeSync } from 'node:fs'
import packageFile from '../../package.json' with { type: 'json' }
import { ChunkLoader } from '../loader/chunk-loader.ts'
import type * as program from './program.ts'

const argv = process.argv.slice(2)
const asksVersion = argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')
if (!asksVersion || !printVersion()) {
  const loader = new ChunkLoader(__dirname, require)
  const { runCommandLine } = loader.load('program.js') as typeof program
  void runCommandLine(argv, { folder: __dirname, holdCode: () => loader.hold('program.js') })
}

/**
 * Prints the version. Returns false if the version cannot be printed. The program then tries again and reports the
 * error.
 */
function printVersion(): boolean {
  try {
    writeSync(1, `${packageFile.version}\n`)
    return true
  } catch {
    return false
  }
}
