#!/usr/bin/env node
/** Starts the command line. `--version` loads nothing else. */
import packageFile from '../../package.json' with { type: 'json' }
import { ChunkLoader } from '../loader/chunk-loader.ts'
import type * as program from './program.ts'

const argv = process.argv.slice(2)
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`${packageFile.version}\n`)
} else {
  const { runCommandLine } = new ChunkLoader(__dirname, require).load('program.js') as typeof program
  void runCommandLine(argv, __dirname)
}
