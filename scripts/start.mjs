// npm start [-- arguments for `muster up`]
import { spawn } from 'node:child_process'
import path from 'node:path'
import { ensureBuilt, ensureInstalled, ensureWebBuilt } from './ensure.mjs'
import { follow } from './run-tool.mjs'
import { root, runCommand } from './setup.mjs'

await runCommand(async () => {
  await ensureInstalled()
  await ensureBuilt()
  await ensureWebBuilt()
  // The commands that `muster up` prints can be pasted in this folder.
  const env = { ...process.env, MUSTER_PROGRAM: './muster' }
  const args = ['up', ...process.argv.slice(2)]
  process.exitCode = await follow(spawn(path.join(root, 'muster'), args, { stdio: 'inherit', env }))
})
