/**
 * Loads the built program. The program consists of chunks, which are functions with the arguments of a CommonJS module.
 * Chunks for common commands are grouped in packs, and the build stores the compiled code of each pack. Node 20 does
 * not keep compiled code between starts, and compiling took a third of the time of every command. If the code was
 * compiled by another version of Node, the engine compiles it again. Everything is CommonJS, because an ES module
 * starts 4 ms later.
 */
// oxlint-disable-next-line muster/powers -- the program's own code, before a store is open
import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { keptUnder, markOf, requireWhenUsed } from './built-code.ts'

type Require = (name: string) => unknown
type Chunk = (exports: object, require: Require, module: { exports: object }, __dirname: string) => void

/** The chunks of a pack by name. The entry with the empty name contains the pack of every other chunk. */
type Pack = Readonly<Record<string, Chunk>> & { readonly ''?: Readonly<Record<string, string>> }

/** Matches a request of a chunk for another chunk, as the bundler writes it. */
const REQUEST = /require\("\.\/([^"]+)"\)/g

/** The pack that every command loads first. */
const FIRST_PACK = 'start.pack'

export class ChunkLoader {
  /** The loaded scripts by file. The build stores their compiled code. */
  readonly scripts = new Map<string, { readonly script: Script; readonly mark: Buffer }>()
  readonly #loaded = new Map<string, { exports: object }>()
  readonly #packs = new Map<string, Pack>()
  /** The chunks that `hold` has read. */
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
   * Reads a chunk, and every chunk that it may load later, without running them. A program that runs for days must find
   * its code even after an upgrade removed the folder of the program.
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
   * Finds a chunk in its pack. A newer build may replace a pack while this process runs. In that case, a missing chunk
   * comes from the held code, or from its own file.
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
    // The bundler writes only ASCII, so the text can be read as latin1.
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
