/**
 * Reads the raw bytes of a database file in a child process that never loads SQLite. A process that has the store open
 * must not read the file itself: closing the file would drop its own locks, and later commits would be lost.
 */
import { spawnSync } from 'node:child_process'
import { BoardError, diskFull } from '../../core/errors.ts'
import { reportsFullDisk } from '../../util/full-disk.ts'

const KEPT_COPIES = 5

/**
 * The script of the child process (`node -e`). It hashes the file and the WAL. With `copy`, it copies both, unless a
 * copy of this content exists. It then keeps only the newest KEPT_COPIES copies, and writes the marker that stops
 * writers.
 */
const SCRIPT = `
const fs = require('node:fs'), path = require('node:path'), crypto = require('node:crypto')
const [file, action, reason, kept] = process.argv.slice(1)
const folder = fs.realpathSync(path.dirname(file)), base = path.basename(file)
const at = (name) => path.join(folder, name)
const hash = crypto.createHash('sha256')
const hashPart = (name) => {
  if (!fs.existsSync(at(name))) return
  const fd = fs.openSync(at(name), 'r'), chunk = Buffer.alloc(1 << 20)
  for (let n; (n = fs.readSync(fd, chunk, 0, chunk.length, null)) > 0; ) hash.update(chunk.subarray(0, n))
  fs.closeSync(fd)
}
hashPart(base)
hashPart(base + '-wal')
const sha256 = hash.digest('hex')
const answer = { sha256, backup: null, made: false }
const sync = (name) => { const fd = fs.openSync(at(name), 'r'); fs.fsyncSync(fd); fs.closeSync(fd) }
const put = (name, write) => {
  const temporary = name + '.' + process.pid + '.tmp'
  write(at(temporary))
  sync(temporary)
  fs.renameSync(at(temporary), at(name))
}
if (action === 'copy') {
  const backup = base + '.corrupt.' + sha256.slice(0, 16) + '.bak'
  answer.backup = at(backup)
  if (!fs.existsSync(at(backup))) {
    for (const tail of ['-wal', '-shm'])
      if (fs.existsSync(at(base + tail))) put(backup + tail, (to) => fs.copyFileSync(at(base + tail), to))
    put(backup, (to) => fs.copyFileSync(at(base), to))
    answer.made = true
  }
  put(base + '.corrupt.json', (to) =>
    fs.writeFileSync(to, JSON.stringify({ sha256, backup: at(backup), reason, at: Date.now() }) + '\\n', { mode: 0o600 }))
  const ours = new RegExp('^' + base.replace(/[.*+?^$()|[\\]{}\\\\]/g, '\\\\$&') + '\\\\.corrupt\\\\.[0-9a-f]{16}\\\\.bak$')
  const copies = fs.readdirSync(folder).filter((name) => ours.test(name) && name !== backup)
    .map((name) => ({ name, at: fs.statSync(at(name)).mtimeMs })).sort((a, b) => b.at - a.at)
  for (const old of copies.slice(Number(kept) - 1))
    for (const tail of ['', '-wal', '-shm']) fs.rmSync(at(old.name + tail), { force: true })
}
process.stdout.write(JSON.stringify(answer))
`

export interface RawFile {
  readonly sha256: string
  readonly backup: string | null
  readonly made: boolean
}

function runRawFileScript(path: string, action: 'hash' | 'copy', reason: string): RawFile {
  const child = spawnSync(process.execPath, ['-e', SCRIPT, path, action, reason, String(KEPT_COPIES)], {
    encoding: 'utf8',
    env: {},
    maxBuffer: 1 << 20,
  })
  if (child.status === 0) return JSON.parse(child.stdout) as RawFile
  if (reportsFullDisk(child.stderr)) throw diskFull(path, { details: { path } })
  throw new BoardError(
    'store_io',
    `The file ${path} could not be read: ${child.stderr.trim().split('\n').at(-1) ?? ''}`,
  )
}

export const hashFile = (path: string): RawFile => runRawFileScript(path, 'hash', '')
export const copyAside = (path: string, reason: string): RawFile => runRawFileScript(path, 'copy', reason)
