/**
 * Loads the built program. It consists of chunks, each a function of what a CommonJS module sees; those that the
 * common commands need stand together in packs, beside which the build left their compiled code. Node 20 keeps none
 * between starts, and compiling took a third of every command; code made by another version of Node is refused by the
 * engine and compiled anew. All this is CommonJS: an ES module starts 4 ms later.
 */
// oxlint-disable-next-line muster/powers -- the program's own code, before a store is open
import { readFileSync } from 'node:fs'
import { Script } from 'node:vm'
import { keptUnder, markOf, requireWhenUsed } from './built-code.ts'

type Require = (name: string) => unknown
type Chunk = (exports: object, require: Require, module: { exports: object }, __dirname: string) => void

/** Chunks by name. The empty name maps other chunks to their pack. */
type Pack = Readonly<Record<string, Chunk>> & { readonly ''?: Readonly<Record<string, string>> }

/** The pack that every command begins with. */
const FIRST_PACK = 'start.pack'

export class ChunkLoader {
  /** The compiled scripts by file, for the build. */
  readonly scripts = new Map<string, { readonly script: Script; readonly mark: Buffer }>()
  readonly #loaded = new Map<string, { exports: object }>()
  readonly #packs = new Map<string, Pack>()
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

  readonly #within: Require = (request) => {
    if (request.startsWith('./')) return this.load(request.slice(2))
    return requireWhenUsed(this.#require, request)
  }

  /** A newer build may have replaced a pack under a running process; the single files stay for a while. */
  #chunk(name: string): Chunk {
    const first = this.#pack(FIRST_PACK)
    const chunk = first[name] ?? this.#pack(first['']?.[name])[name]
    return chunk ?? (this.#compile(name, readFileSync(`${this.#folder}/${name}`)) as Chunk)
  }

  #pack(file: string | undefined): Pack {
    if (file === undefined) return {}
    const known = this.#packs.get(file)
    if (known !== undefined) return known
    const source = readIfExists(`${this.#folder}/${file}`)
    const pack = source === undefined ? {} : (this.#compile(file, source) as Pack)
    this.#packs.set(file, pack)
    return pack
  }

  #compile(file: string, source: Buffer): unknown {
    const filename = `${this.#folder}/${file}`
    const mark = markOf(source)
    const cachedData = keptUnder(mark, readIfExists(`${filename}.cache`))
    // The bundler writes nothing but ASCII.
    const script = new Script(source.toString('latin1'), { filename, ...(cachedData && { cachedData }) })
    this.scripts.set(file, { script, mark })
    return script.runInThisContext()
  }
}

function readIfExists(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch {
    return undefined
  }
}
