import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

test.each([
  ['the manifest is what the commands say', 'scripts/manifest.ts'],
  ['the reference of the command line is what the manifest says', 'scripts/cli-docs.ts'],
])('%s', async (_, script) => {
  const flags = ['--import', 'tsx', '--import', './scripts/sql-loader.mjs']
  const fault = await run(process.execPath, [...flags, script, '--check'], { cwd: ROOT }).catch((error: Error) => error)
  expect(fault instanceof Error ? fault.message : '').toBe('')
})
