// npm run build writes dist/, dist/web/ and dist-test/. npm uses --if-needed after an install and before it packs the
// package. With this flag, the command writes only dist/ with dist/web/, and only if the sources have changed.
import { canBuild, ensureBuilt, ensureTestBuilt, ensureWebBuilt } from './ensure.mjs'
import { runCommand } from './setup.mjs'

const ifNeeded = process.argv.includes('--if-needed')
if (ifNeeded && !canBuild()) {
  process.stdout.write('build     skipped: the development dependencies are not installed\n')
} else {
  await runCommand(async () => {
    await ensureBuilt({ always: !ifNeeded })
    await ensureWebBuilt({ always: !ifNeeded })
    if (!ifNeeded) await ensureTestBuilt({ always: true })
  })
}
