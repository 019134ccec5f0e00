/** The supervisor's entry, bundled as one file. Its only argument is the directory of its run. */
import { ownEnvironment } from '../../config/environment.ts'
import { thisHost } from '../identity.ts'
import { runDirectoryAt } from '../run-directory.ts'
import { supervise } from './begin.ts'

const path = process.argv[2]
if (path === undefined) {
  process.stderr.write('usage: supervisor.js <run directory>\n')
  process.exitCode = 2
} else {
  // Into the run's own log. The dispatcher of this machine closes what is left open here.
  supervise(runDirectoryAt(path), thisHost(), ownEnvironment()).catch((error: unknown) => {
    const words = error instanceof Error ? (error.stack ?? error.message) : String(error)
    process.stderr.write(`${new Date().toISOString()} ${words}\n`)
    process.exitCode = 1
  })
}
