// npm run test:agents [-- cli... | --record cli...]: the real agent CLIs, from a clone in which nothing is installed yet.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { ensureBuilt, ensureInstalled, root, runCommand } from './ensure.mjs'
import { stopSignals } from './run-tool.mjs'

await runCommand(async () => {
  await ensureInstalled()
  await ensureBuilt()
  const loaders = ['--import', 'tsx', '--import', './scripts/sql-loader.mjs']
  const child = spawn(process.execPath, [...loaders, 'test/real-clis/main.ts', ...process.argv.slice(2)], {
    cwd: root,
    stdio: 'inherit',
  })
  // Ctrl-C reaches it too, and it clears up: its end is waited for.
  for (const signal of stopSignals) process.on(signal, () => {})
  const [code] = await once(child, 'close')
  process.exitCode = code ?? 1
})
