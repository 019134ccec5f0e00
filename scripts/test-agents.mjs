// npm run test:agents [-- cli... | --record cli...]: tests the real agent CLIs. Installs and builds first if needed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ensureBuilt, ensureInstalled } from './ensure.mjs'
import { root, runCommand } from './setup.mjs'
import { stopSignals } from './run-tool.mjs'

await runCommand(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const loaders = ['--import', 'tsx', '--import', './scripts/sql-loader.mjs']
  const child = spawn(process.execPath, [...loaders, 'test/real-clis/main.ts', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  })
  // The child also gets Ctrl-C and cleans up, so this process ignores the signal and waits for the child.
  for (const signal of stopSignals) process.on(signal, () => {})
  const [code] = await once(child, 'close')
  process.exitCode = code ?? 1
})
