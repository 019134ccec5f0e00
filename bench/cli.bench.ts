/** Measures how long commands take, compared with an empty Node program. Every round starts each of them once. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { BOARD } from '../test/helpers/places.ts'
import { childEnvironment } from '../test/helpers/processes.ts'
import { fillBoard } from './programs/fill-board.ts'
import { info, median, ratio } from './report.ts'

const BIN = fileURLToPath(new URL('../dist/bin.js', import.meta.url))
const ROUNDS = 40

interface Case {
  readonly name: string
  readonly args: readonly string[]
  readonly home: string
  readonly target: `<=${number}` | null
}

export async function benchCli(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'muster-bench-'))
  try {
    const [small, big] = [join(folder, 'small'), join(folder, 'big')]
    for (const [home, size] of [
      [small, 10_000],
      [big, 100_000],
    ] as const)
      await fillBoard(join(home, 'muster.db'), { size, claimable: 1_000 })
    measure([
      { name: 'node', args: ['-e', '0'], home: small, target: null },
      { name: 'cli-version', args: [BIN, '--version'], home: small, target: '<=1.3' },
      { name: 'cli-list-10k', args: listing(), home: small, target: '<=1.8' },
      { name: 'cli-list-100k', args: listing(), home: big, target: '<=1.8' },
      { name: 'cli-board-100k', args: [BIN, 'board', '--board', BOARD], home: big, target: '<=2' },
      { name: 'cli-create', args: [BIN, 'create', 'A card', '--json', '--board', BOARD], home: small, target: '<=2.2' },
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const listing = (): string[] => [BIN, 'list', '--json', '--limit', '50', '--board', BOARD]

function measure(cases: readonly Case[]): void {
  const times = new Map(cases.map(({ name }) => [name, [] as number[]]))
  for (let round = 0; round < ROUNDS; round += 1) for (const each of cases) times.get(each.name)?.push(timeOnce(each))
  const floor = median(times.get('node') ?? [])
  for (const { name, target } of cases) {
    const ms = median(times.get(name) ?? [])
    if (target !== null) ratio(name, ms / floor, target)
    info(`${name}: ${ms.toFixed(1)} ms`)
  }
}

function timeOnce({ name, args, home }: Case): number {
  const env = { ...childEnvironment(), MUSTER_HOME: home }
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' })
  const ms = performance.now() - started
  if (status !== 0) throw new Error(`${name} exited with ${status}: ${stderr}`)
  return ms
}
