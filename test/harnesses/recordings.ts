/**
 * Reads recorded output of the real programs (test/fixtures/recordings), whose versions are in a manifest. For Hermes Agent
 * there are only samples from its documentation (test/fixtures/samples).
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Adapter } from '../../src/harnesses/harness.ts'
import { EMPTY_SUMMARY, addEntry } from '../../src/harnesses/stream/turn-summary.ts'
import type { TurnSummary } from '../../src/harnesses/stream/turn-summary.ts'
import type { Entry } from '../../src/harnesses/stream/entry.ts'

export const RECORDINGS = join(import.meta.dirname, '..', 'fixtures', 'recordings')

export interface Manifest {
  readonly agents: Readonly<Record<string, { readonly package: string; readonly version: string }>>
  readonly recordings: Readonly<Record<string, Recorded>>
}

interface Recorded {
  readonly exitCode: number | null
  readonly sha256: string
  /** The version of the agent, if the recording comes from another version than the manifest names. */
  readonly version?: string
}

export const readManifest = (): Manifest =>
  JSON.parse(readFileSync(join(RECORDINGS, 'manifest.json'), 'utf8')) as Manifest

const SAMPLES = join(RECORDINGS, '..', 'samples')

export const linesOf = (recording: string): readonly string[] =>
  readFileSync(join(recording.startsWith('hermes/') ? SAMPLES : RECORDINGS, `${recording}.jsonl`), 'utf8').split('\n')

export const entriesOf = ({ readLine }: Adapter, lines: readonly string[]): readonly Entry[] =>
  lines.flatMap((line) => readLine?.(line) ?? [])

export const summaryOf = (harness: Adapter, recording: string): TurnSummary =>
  entriesOf(harness, linesOf(recording)).reduce(addEntry, EMPTY_SUMMARY)

/** Returns the kinds of entries, each once, in order of first appearance. */
export const kindsIn = (harness: Adapter, recording: string): readonly string[] => [
  ...new Set(entriesOf(harness, linesOf(recording)).map(({ kind }) => kind)),
]
