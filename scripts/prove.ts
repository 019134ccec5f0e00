/**
 * npm run prove [-- name...]: runs the proofs of the tests at full size. Without a name it lists them; `all` runs them
 * all. Each prints its figures and faults. The exit code is 1 if there are faults.
 */
import type { StoreLocation } from '../src/storage/location.ts'
import type { Store } from '../src/storage/store.ts'
import { withPlace } from '../test/helpers/places.ts'
import type { Engine } from '../test/helpers/places.ts'
import { startPostgres } from '../test/helpers/postgres-server.ts'
import { proveBusy } from '../test/helpers/proofs/busy.ts'
import { proveCap, proveClaims } from '../test/helpers/proofs/claims.ts'
import { proveFeed } from '../test/helpers/proofs/feed.ts'
import { proveFamilies, proveLinks } from '../test/helpers/proofs/graph.ts'
import { proveHandles } from '../test/helpers/proofs/handles.ts'
import { proveKeys } from '../test/helpers/proofs/keys.ts'
import { proveKills } from '../test/helpers/proofs/kills.ts'
import type { Proof } from '../test/helpers/proofs/proof.ts'
import { proveSplits } from '../test/helpers/proofs/splits.ts'
import { showTool } from './run-tool.mjs'
import { proveReads, proveReadsAfterKill } from '../test/helpers/proofs/reads.ts'

type FileLocation = Extract<StoreLocation, { engine: 'sqlite' }>
type Prove = (location: StoreLocation, store: Store) => Promise<Proof>

interface Step {
  readonly engine: Engine
  readonly prove: Prove
}

const both = (prove: Prove): Step[] => [
  { engine: 'sqlite', prove },
  { engine: 'postgres', prove },
]
const onFile = (prove: (location: FileLocation, store: Store) => Promise<Proof>): Step => ({
  engine: 'sqlite',
  prove: (location, store) => prove(location as FileLocation, store),
})
const onServer = (prove: Prove): Step => ({ engine: 'postgres', prove })

const PROOFS: Readonly<Record<string, { says: string; steps: readonly Step[] }>> = {
  keys: {
    says: '20 processes create with one idempotency key: one card',
    steps: both((location, store) => proveKeys(location, store, { processes: 20, rounds: 25 })),
  },
  claims: {
    says: '8 machines claim one card: one wins, and seven are refused',
    steps: both((location, store) => proveClaims(location, store, { processes: 8, rounds: 100 })),
  },
  caps: {
    says: '8 claims at once never exceed the cap of a machine or an agent',
    steps: (['machine', 'agent'] as const).flatMap((of) =>
      both((location, store) => proveCap(location, store, { processes: 8, rounds: 100, cap: 3, of })),
    ),
  },
  families: {
    says: 'a parent completes while it gets children: no child is left waiting',
    steps: both((location, store) => proveFamilies(location, store, { rounds: 1000 })),
  },
  links: {
    says: 'links that would close a cycle race: no cycle is ever made',
    steps: both((location, store) => proveLinks(location, store, { rounds: 500 })),
  },
  feed: {
    says: 'feed readers see every event exactly once while hundreds write',
    steps: both((location, store) =>
      proveFeed(location, store, { writers: 10, callers: 50, readers: 4, cards: 10_000 }),
    ),
  },
  kills: {
    says: 'kill -9 of a writing process, 200 times: the store is sound and has every acknowledged write',
    steps: [
      onFile((location) => proveKills(location, { kills: 200, lines: 2 })),
      onServer((location) => proveKills(location, { kills: 50, lines: 2 })),
    ],
  },
  splits: {
    says: 'kill -9 of a process that splits cards into 12, 50 times: each card has its whole graph or no part of it',
    steps: both((location) => proveSplits(location, { kills: 50 })),
  },
  reads: {
    says: 'no read changes a byte of the file; after a kill, exports before and after recovery are equal',
    steps: [onFile(proveReads), onFile((location, store) => proveReadsAfterKill(location, store, { kills: 30 }))],
  },
  handles: {
    says: '10,000 open/close rounds and 10,000 failing opens: no handle or memory growth',
    steps: [
      onFile((location) => proveHandles(location, { opens: 10_000, failures: 10_000 })),
      onServer((location) => proveHandles(location, { opens: 1000, failures: 1000 })),
    ],
  },
  busy: {
    says: '8 busy processes for a minute on one store: the store is sound, and no write is lost',
    steps: [
      onFile((location, store) => proveBusy(location, store, { processes: 8, seconds: 60 })),
      onServer((location, store) => proveBusy(location, store, { processes: 8, seconds: 10 })),
    ],
  },
}

interface TestRun {
  readonly says: string
  readonly env: Readonly<Record<string, string>>
  /** The groups of tests, each with its files. Without files, all tests of the group run. */
  readonly groups: Readonly<Record<string, readonly string[]>>
}

/** Proofs that are tests of `npm test`, run at full size. */
const TEST_RUNS: Readonly<Record<string, TestRun>> = {
  engines: {
    says: 'commands, tools and workspaces on both engines (npm test runs them on SQLite)',
    env: { MUSTER_TEST_ENGINES: 'both' },
    groups: { processes: [] },
  },
  binary: {
    says: 'every command of the tests of commands in the real binary (npm test runs each command there once per file)',
    env: { MUSTER_TEST_BINARY: 'all' },
    groups: { processes: ['test/e2e/commands'] },
  },
  'live-feed': {
    says: '50 clients of a server that is killed twice at 500 events/s, and of a restored store: no event lost or repeated',
    env: { MUSTER_TEST_LIVE_FEED: 'full' },
    groups: { processes: ['test/e2e/live-feed.test.ts'] },
  },
  git: {
    says: 'each command that an agent plants for the board’s git, in a repository of its own (npm test plants several in one)',
    env: { MUSTER_TEST_GIT: 'full' },
    groups: { processes: ['test/workspaces/git-tricks.test.ts'] },
  },
  landing: {
    says: 'a landing is killed at more git commands and files, and undone by more commands (npm test kills at some)',
    env: { MUSTER_TEST_LANDING: 'full' },
    groups: { processes: ['test/e2e/landing-crash.test.ts'] },
  },
  dashboard: {
    says: 'every page of the dashboard in both themes, three languages, five widths and at 200 % text: WCAG A and AA',
    env: { MUSTER_TEST_PAGES: 'all' },
    groups: { browser: ['test/browser/pages.test.ts'] },
  },
  remote: {
    says: 'the tests of all commands, through a server, on both engines',
    env: { MUSTER_TEST_THROUGH: 'url', MUSTER_TEST_ENGINES: 'both' },
    groups: { unit: ['test/cli'], processes: ['test/e2e/commands'] },
  },
}

const names = process.argv
  .slice(2)
  .flatMap((name) => (name === 'all' ? [...Object.keys(PROOFS), ...Object.keys(TEST_RUNS)] : [name]))
const unknown = names.filter((name) => !(name in PROOFS) && !(name in TEST_RUNS))
if (names.length === 0 || unknown.length > 0) {
  if (unknown.length > 0) console.error(`Unknown proof: ${unknown.join(', ')}. Choose from this list:`)
  for (const [name, { says }] of Object.entries({ ...PROOFS, ...TEST_RUNS })) console.log(`${name.padEnd(10)}${says}`)
  process.exitCode = unknown.length > 0 ? 2 : 0
} else {
  const server = await startPostgres()
  try {
    for (const name of names) await (name in TEST_RUNS ? runTests(name) : run(name, server.url))
  } finally {
    await server.stop()
  }
}

async function run(name: string, postgresUrl: string): Promise<void> {
  const { says, steps } = PROOFS[name] ?? { says: '', steps: [] }
  console.log(`${name}: ${says}`)
  for (const { engine, prove } of steps) {
    const started = performance.now()
    const { figures, faults } = await withPlace(engine, postgresUrl, prove)
    const seconds = ((performance.now() - started) / 1000).toFixed(1)
    const shown = Object.entries(figures).map(([key, value]) => `${key} ${value}`)
    console.log(`  ${faults.length === 0 ? '✓' : '✗'} ${engine.padEnd(9)}${seconds.padStart(6)} s  ${shown.join(', ')}`)
    for (const fault of faults.slice(0, 10)) console.log(`      ${fault}`)
    if (faults.length > 10) console.log(`      and ${faults.length - 10} more`)
    if (faults.length > 0) process.exitCode = 1
  }
}

async function runTests(name: string): Promise<void> {
  const { says, env, groups } = TEST_RUNS[name] ?? { says: '', env: {}, groups: {} }
  console.log(`${name}: ${says}`)
  for (const [group, files] of Object.entries(groups))
    if ((await showTool('vitest', ['run', '--project', group, ...files], env)) !== 0) process.exitCode = 1
}
