// npm run build makes dist/ and dist-test/. With --if-needed, which npm runs after an install and before packing: dist/.
import { canBuild, ensureBuilt, ensureTestBuilt, runCommand } from './ensure.mjs'

const ifNeeded = process.argv.includes('--if-needed')
if (ifNeeded && !canBuild()) {
  process.stdout.write('build     skipped: the development dependencies are not installed\n')
} else {
  await runCommand(async () => {
    await ensureBuilt({ always: !ifNeeded })
    if (!ifNeeded) await ensureTestBuilt({ always: true })
  })
}
