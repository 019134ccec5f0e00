import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { sha256 } from '../../src/util/sha256.ts'
import type { Failure } from '../../src/harnesses/stream/entry.ts'
import { lastFailure } from '../../src/harnesses/stream/turn-summary.ts'
import { RECORDINGS, entriesOf, summaryOf, linesOf, readManifest } from './recordings.ts'
import { harnessNamed } from './loaded.ts'

const manifest = readManifest()
const files = Object.keys(manifest.recordings)

test('every recording matches the manifest and a known version', () => {
  const found = Object.keys(manifest.agents).flatMap((agent) =>
    readdirSync(join(RECORDINGS, agent)).map((name) => `${agent}/${name}`),
  )
  expect(found.toSorted()).toEqual(files.toSorted())
  for (const file of files)
    expect([file, sha256(readFileSync(join(RECORDINGS, file), 'utf8'))]).toEqual([
      file,
      manifest.recordings[file]?.sha256,
    ])
})

test('no recording contains details of the machine that made the recording', () => {
  for (const file of files)
    expect(readFileSync(join(RECORDINGS, file), 'utf8')).not.toMatch(/\/(?:tmp|root|work)\/(?!chunk-)/)
})

/** The last failure in each recording. Null means that the program recovered. */
const FAILURES: Readonly<Record<string, Failure['kind'] | null>> = {
  'claude/billing': 'billing',
  'claude/overflow': 'context_overflow',
  'claude/turn-limit': 'turn_limit',
  'claude/no-such-model': 'other',
  'claude/garbage': 'other',
  'codex/billing': 'billing',
  'codex/rate-limited-in-stream': 'rate_limited',
  'codex/overloaded': 'rate_limited',
  'codex/overflow': 'context_overflow',
  'codex/no-such-model': 'other',
  'codex/torn': 'other',
  'opencode/billing': 'billing',
  'opencode/overflow': null,
  'opencode/no-such-model': 'other',
  'opencode/unknown-model': 'other',
  'gemini/daily-quota': 'rate_limited',
  'gemini/key-not-valid': 'auth',
  'gemini/overflow': 'context_overflow',
  'gemini/turn-limit': 'turn_limit',
  'gemini/no-such-model': 'other',
  'gemini/torn': 'other',
}

test.each(Object.entries(FAILURES))('the last failure of the recording %s is %s', (recording, kind) => {
  const harness = harnessNamed(recording.split('/')[0] ?? '')
  expect(lastFailure(summaryOf(harness, recording))?.kind ?? null).toBe(kind)
})

const CASES = ['success', 'nudge', 'nudge.2', 'failure', 'auth', 'rate-limited', 'rate-limited-until']
const AGENTS = [...Object.keys(manifest.agents), 'hermes']
const casesOf = (agent: string) => (agent === 'hermes' ? CASES.slice(0, -1) : CASES)

test.each(AGENTS)('broken and unknown lines in the output of %s change nothing', (agent) => {
  const harness = harnessNamed(agent)
  const noise = [
    '{"type":"assistant","mess',
    '{"type":"news.from.tomorrow","data":{"a":1}}',
    '[1,2]',
    'words',
    '{}',
    '',
  ]
  for (const name of casesOf(agent)) {
    const lines = linesOf(`${agent}/${name}`)
    const kinds = (given: readonly string[]) => entriesOf(harness, given).map(({ kind }) => kind)
    expect(kinds(lines.flatMap((line) => [...noise, line]))).toEqual(kinds(lines))
  }
})

/** Replaces each value of each recording by a value of another type, as a later version might print. */
test.each(AGENTS)('fields of unexpected types in the output of %s cause no error', (agent) => {
  const harness = harnessNamed(agent)
  const mangled = (value: unknown, other: unknown): unknown[] => {
    if (typeof value !== 'object' || value === null) return [other]
    return Object.entries(value).flatMap(([key, inner]) =>
      [other, ...mangled(inner, other)].map((one) => (Array.isArray(value) ? [one] : { ...value, [key]: one })),
    )
  }
  for (const name of casesOf(agent))
    for (const line of linesOf(`${agent}/${name}`).filter((one) => one.startsWith('{')))
      for (const other of [null, 7, 'words', [], {}, [[null]], { text: { text: 1 } }])
        for (const one of mangled(JSON.parse(line), other)) harness.readLine?.(JSON.stringify(one))
})
