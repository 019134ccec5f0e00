/**
 * Checks a database file in a separate process. A process that lost its locks, or whose file was replaced, may see
 * damage that is not in the file.
 */
import { spawnSync } from 'node:child_process'
import { findBinding } from '../../util/find-binding.ts'

/** The time limit of the check. The check of a very large store takes minutes. */
const DATABASE_CHECK_MS = 10 * 60_000
const MOST_BYTES = 16 * 1024 * 1024

/** The script of the child process (`node -e`). It checks pages and indexes, then the references between rows. */
const SCRIPT = `
const [binding, path] = process.argv.slice(1)
const { DatabaseSync } = require(binding)
const faults = []
try {
  const database = new DatabaseSync(path, { readOnly: true, timeout: 10000 })
  for (const { integrity_check: line } of database.prepare('pragma integrity_check').all())
    if (line !== 'ok') faults.push(line)
  for (const row of database.prepare('pragma foreign_key_check').all())
    faults.push('row ' + row.rowid + ' of ' + row.table + ' points to no ' + row.parent)
} catch (error) {
  // The driver does not give every error its number.
  const isDamage = [11, 26].includes(Number(error.errcode) & 0xff) || /malformed|not a database/.test(error.message)
  if (!isDamage) throw error
  faults.push(error.message)
}
process.stdout.write(JSON.stringify(faults))
`

/**
 * The damage found in a file. An empty list means that the file is intact. Null means that the file could not be
 * checked.
 */
export function checkDatabaseFile(path: string): readonly string[] | null {
  const { status, stdout } = spawnSync(process.execPath, ['-e', SCRIPT, findBinding(__dirname), path], {
    encoding: 'utf8',
    env: {},
    timeout: DATABASE_CHECK_MS,
    maxBuffer: MOST_BYTES,
  })
  return status === 0 ? (JSON.parse(stdout) as readonly string[]) : null
}
