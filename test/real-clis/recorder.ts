/**
 * Records the output of the real programs, scene by scene, and compares it with the committed recordings or replaces
 * the recordings.
 */
import { readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256 } from '../../src/util/sha256.ts'
import { harnessNamed } from '../harnesses/loaded.ts'
import { RECORDINGS, linesOf, readManifest } from '../harnesses/recordings.ts'
import type { Manifest } from '../harnesses/recordings.ts'
import type { Cli } from './clis.ts'
import { changesOf, shapeOf } from './shape.ts'

interface Recording {
  readonly text: string
  readonly exitCode: number | null
}

/** Texts that reveal this machine, and their replacements. */
export type Scrubs = readonly (readonly [found: string, replacement: string])[]

export class Recorder {
  readonly #cli: Cli
  readonly #scrubs: Scrubs
  readonly #kept = new Map<string, Recording>()

  constructor(cli: Cli, scrubs: Scrubs) {
    this.#cli = cli
    // The longest texts come first, so that a folder is replaced before its parent folder.
    this.#scrubs = scrubs.toSorted(([one], [other]) => other.length - one.length)
  }

  /** Records each turn of a run's log, as `<scene>`, `<scene>.2` and so on. */
  keep(scene: string, log: string, exitCode: number | null): void {
    const turns = log.split(/^# muster: turn \d+: .*\n/m)
    for (const [at, turn] of turns.entries()) {
      const isLast = at === turns.length - 1
      const name = at === 0 ? scene : `${scene}.${at + 1}`
      this.#kept.set(name, { text: this.#scrub(turn), exitCode: isLast ? exitCode : 0 })
    }
  }

  /** Describes each difference from the committed recordings. */
  changes(): readonly string[] {
    const harness = harnessNamed(this.#cli)
    if (this.#kept.size === 0) return ['no output was recorded']
    const { recordings } = readManifest()
    return [...this.#kept].flatMap(([scene, { text }]) => {
      const name = `${this.#cli}/${scene}`
      if (recordings[`${name}.jsonl`] === undefined) return [`${name} was never recorded`]
      const changes = changesOf(shapeOf(harness, linesOf(name)), shapeOf(harness, text.split('\n')))
      return changes.map((change) => `in ${name} ${change}`)
    })
  }

  /** Replaces the committed recordings. */
  write(version: string): void {
    let manifest = withVersion(readManifest(), this.#cli, version)
    for (const [scene, { text, exitCode }] of this.#kept) {
      const file = `${this.#cli}/${scene}.jsonl`
      writeFileSync(join(RECORDINGS, file), text)
      manifest = { ...manifest, recordings: { ...manifest.recordings, [file]: { exitCode, sha256: sha256(text) } } }
    }
    writeFileSync(join(RECORDINGS, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`)
  }

  #scrub(text: string): string {
    const scrubbed = this.#scrubs.reduce((all, [found, replacement]) => all.replaceAll(found, replacement), text)
    return scrubbed.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
  }
}

/** A recording that is not replaced keeps the version in the manifest. */
function withVersion({ agents, recordings }: Manifest, cli: Cli, version: string): Manifest {
  const before = agents[cli]
  if (before === undefined || before.version === version) return { agents, recordings }
  const older = Object.entries(recordings).map(
    ([file, one]) => [file, file.startsWith(`${cli}/`) ? { version: before.version, ...one } : one] as const,
  )
  return { agents: { ...agents, [cli]: { ...before, version } }, recordings: Object.fromEntries(older) }
}

/** The folder in which the programs are installed. Error messages contain the path of this folder. */
export const installation = (bin: string): string => realpathSync(join(bin, '..'))

export const logAt = (path: string | null): string => (path === null ? '' : readFileSync(path, 'utf8'))
