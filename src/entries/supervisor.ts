/**
 * Starts a supervisor. All its code is in one file beside this file. The file is opened once, so an upgrade that
 * replaces it does not affect this process.
 *
 * The file consists of segments, and a segment consists of chunks: functions with the arguments of a CommonJS module.
 * The first segment has the code up to the guard. The second has the code for an ordinary run while its agent works.
 * The third has the code to settle the run. Each other segment has one chunk that few runs need. The build stores the
 * compiled code of the first three, because Node 20 would compile it again at every start.
 *
 * - .code: mark, length of the index in 8 digits, index, segments
 * - .cache: mark, three lengths in 8 digits each, compiled code of the first three segments
 */
// oxlint-disable-next-line muster/powers -- the program's own code, before a store is open
import { openSync, readSync, renameSync, writeFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { keptUnder, markOf, requireWhenUsed } from '../loader/built-code.ts'

type Require = (name: string) => unknown
type Chunk = (exports: object, require: Require, module: { exports: object }, __dirname: string) => void
interface Segment {
  readonly at: number
  readonly length: number
  readonly chunks: readonly string[]
}

const NUMBER_LENGTH = 8
const KEPT = 3
/** The number of bytes to read for the mark and the index. */
const HEAD_LENGTH = 32_768

const file = openSync(`${__filename}.code`, 'r')
const head = readSegment(file, 0, HEAD_LENGTH)
const mark = markOf(head)
const body = mark.length + NUMBER_LENGTH + numberAt(head, mark.length)
const index = JSON.parse(head.toString('latin1', mark.length + NUMBER_LENGTH, body)) as readonly Segment[]
const loaded = new Map<string, { exports: object }>()
const compiled = new Map<Segment, Readonly<Record<string, Chunk>>>()
const scripts: Script[] = []
/**
 * The task of this process, if the build started it: to record which chunks a supervisor loads (`trace`), or to store
 * the compiled code (`keep`).
 */
const task = process.argv[3]

function numberAt(bytes: Buffer, at: number): number {
  return Number(bytes.toString('latin1', at, at + NUMBER_LENGTH))
}

function readSegment(from: number, at: number, length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  let read = 0
  for (let more = -1; more !== 0 && read < length; read += more)
    more = readSync(from, bytes, read, length - read, at + read)
  return bytes.subarray(0, read)
}

/**
 * Returns one reader for each segment of stored compiled code. A reader reads its segment only when the segment is
 * needed. So the code that settles a run takes no memory while the agent works.
 */
function keptCode(): readonly (() => Buffer)[] {
  try {
    const cache = openSync(`${__filename}.cache`, 'r')
    const lengths = keptUnder(mark, readSegment(cache, 0, mark.length + KEPT * NUMBER_LENGTH))
    if (lengths === undefined) return []
    let end = mark.length + KEPT * NUMBER_LENGTH
    return Array.from({ length: KEPT }, (_, nth) => {
      const [at, length] = [end, numberAt(lengths, nth * NUMBER_LENGTH)]
      end += length
      return () => readSegment(cache, at, length)
    })
  } catch {
    // There is no cache file, so the engine compiles the code itself.
    return []
  }
}

const kept = keptCode()

function chunksOf(segment: Segment): Readonly<Record<string, Chunk>> {
  const known = compiled.get(segment)
  if (known !== undefined) return known
  const at = index.indexOf(segment)
  const cachedData = kept[at]?.()
  // The bundler writes only ASCII, so the text can be read as latin1.
  const source = readSegment(file, body + segment.at, segment.length).toString('latin1')
  const script = new Script(source, { filename: `${__filename}.${at}`, ...(cachedData && { cachedData }) })
  if (task === 'keep') scripts[at] = script
  const chunks = script.runInThisContext() as Readonly<Record<string, Chunk>>
  compiled.set(segment, chunks)
  return chunks
}

function load(name: string): object {
  const known = loaded.get(name)
  if (known !== undefined) return known.exports
  const module = { exports: {} }
  loaded.set(name, module)
  const segment = index.find(({ chunks }) => chunks.includes(name))
  const chunk = segment === undefined ? undefined : chunksOf(segment)[name]
  if (chunk === undefined) throw new Error(`${__filename}.code does not contain ${name}. Build Muster again.`)
  chunk(module.exports, within, module, __dirname)
  return module.exports
}

function within(request: string): unknown {
  return request.startsWith('./') ? load(request.slice(2)) : requireWhenUsed(require, request)
}

function keep(): void {
  const data = Array.from({ length: KEPT }, (_, at) => scripts[at]?.createCachedData() ?? Buffer.alloc(0))
  const lengths = data.map(({ length }) => String(length).padStart(NUMBER_LENGTH, '0')).join('')
  writeFileSync(`${__filename}.tmp`, Buffer.concat([mark, Buffer.from(lengths), ...data]))
  renameSync(`${__filename}.tmp`, `${__filename}.cache`)
}

if (task === 'keep') process.on('exit', keep)
if (task === 'trace') process.on('exit', () => writeFileSync(`${__filename}.trace`, JSON.stringify([...loaded.keys()])))

load('main.js')
