// npm run build, and with --if-needed what npm runs after an install and before packing.
import { canBuild, ensureBuilt, runCommand } from './ensure.mjs'

const ifNeeded = process.argv.includes('--if-needed')
if (ifNeeded && !canBuild()) {
  process.stdout.write('build    skipped: the development dependencies are not installed\n')
} else {
  await runCommand(() => ensureBuilt({ always: !ifNeeded }))
}
