/**
 * Loads the built program. It consists of chunks: functions with the arguments of a CommonJS module. Chunks for common
 * commands are grouped in packs, and the build stores the compiled code of each pack. Node 20 does not keep compiled
 * code between starts, and compiling took a third of every command. The engine rejects code compiled by another version
 * of Node and compiles it again. Everything is CommonJS, because an ES module starts 4 ms later.
 */
// oxlint-disable-next-line muster/powers -- the program's own code, before a store is open
import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { keptUnder, markOf, requireWhenUsed } from './built-code.ts'

type Require = (name: string) => unknown
type Chunk = (exports: object, require: Require, module: { exports: object }, __dirname: string) => void

/** The chunks of a pack by name. The entry with the empty name maps each other chunk to its pack. */
type Pack = Readonly<Record<string, Chunk>> & { readonly ''?: Readonly<Record<string, string>> }

/** A chunk's request for another chunk, as the bundler writes it. */
const REQUEST = /require\("\.\/([^"]+)"\)/g

/** The pack that every command loads first. */
const FIRST_PACK = 'start.pack'

export class ChunkLoader {
  /** The scripts by file. The build uses them to store the compiled code. */
  readonly scripts = new Map<string, { readonly script: Script; readonly mark: Buffer }>()
  readonly #loaded = new Map<string, { exports: object }>()
  readonly #packs = new Map<string, Pack>()
  /** The code that `hold` has read. */
  readonly #held = new Map<string, Buffer>()
  readonly #folder: string
  readonly #require: Require

  constructor(folder: string, outside: Require) {
    this.#folder = folder
    this.#require = outside
  }

  get loaded(): readonly string[] {
    return [...this.#loaded.keys()]
  }

  load(name: string): object {
    const known = this.#loaded.get(name)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    this.#loaded.set(name, module)
    this.#chunk(name)(module.exports, this.#within, module, this.#folder)
    return module.exports
  }

  /**
   * Reads a chunk and every chunk that it may load later, without running them. An upgrade removes the folder of a
   * program that runs for days, and the program must still find its code.
   */
  hold(name: string): void {
    const waiting = [name]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (this.#held.has(next)) continue
      const code = readFileSync(`${this.#folder}/${next}`)
      this.#held.set(next, code)
      for (const [, request = ''] of code.toString('latin1').matchAll(REQUEST)) waiting.push(request)
    }
  }

  readonly #within: Require = (request) => {
    if (request.startsWith('./')) return this.load(request.slice(2))
    return requireWhenUsed(this.#require, request)
  }

  /**
   * Finds a chunk in its pack. A newer build may replace a pack while this process runs, so a missing chunk is taken
   * from the held code, or read from its own file.
   */
  #chunk(name: string): Chunk {
    const first = this.#pack(FIRST_PACK)
    const chunk = first[name] ?? this.#pack(first['']?.[name])[name]
    return chunk ?? (this.#compile(name, this.#held.get(name) ?? readFileSync(`${this.#folder}/${name}`)) as Chunk)
  }

  #pack(file: string | undefined): Pack {
    if (file === undefined) return {}
    const known = this.#packs.get(file)
    if (known !== undefined) return known
    const source = readBuiltFile(`${this.#folder}/${file}`)
    const pack = source === undefined ? {} : (this.#compile(file, source) as Pack)
    this.#packs.set(file, pack)
    return pack
  }

  #compile(file: string, source: Buffer): unknown {
    const filename = `${this.#folder}/${file}`
    const mark = markOf(source)
    const cachedData = keptUnder(mark, readBuiltFile(`${filename}.cache`))
    // The bundler writes only ASCII, so latin1 is enough.
    const script = new Script(source.toString('latin1'), { filename, ...(cachedData && { cachedData }) })
    this.scripts.set(file, { script, mark })
    return script.runInThisContext()
  }
}

function readBuiltFile(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
