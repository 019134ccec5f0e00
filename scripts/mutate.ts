/**
 * npm run mutate [-- words of a name]: applies each mutation of mutations.ts to a copy of the tree, runs its tests, and
 * prints the test that fails. Mutations of runs are applied in the simulator, and the first seed that fails is printed.
 * The exit code is 1 if a mutation survives.
 */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MUTATIONS, RUN_MUTATIONS } from './mutations.ts'
import type { Mutation } from './mutations.ts'
import { ENOUGH, notice } from './notice.ts'

const ROOT = join(import.meta.dirname, '..')
const COPIED = ['src', 'test', 'scripts', 'bench', 'package.json', 'tsconfig.json', 'vitest.config.ts']
const LINKED = ['node_modules', 'dist', 'dist-test']

const wanted = process.argv.slice(2).join(' ')
const isWanted = ({ name }: Pick<Mutation, 'name'>): boolean => name.includes(wanted)
const chosen = MUTATIONS.filter(isWanted)
const simulated = RUN_MUTATIONS.filter(isWanted)
for (const tests of new Set(chosen.flatMap((mutation) => mutation.tests))) {
  const failed = await inCopy((copy) => firstFailure(copy, tests))
  if (failed !== null) throw new Error(`${tests} fails without a mutation: ${failed}`)
  process.stdout.write(`passed   ${tests}\n`)
}
let survivors = 0
for (const mutation of chosen) await judge(mutation, () => killerOf(mutation))
for (const mutation of simulated) await judge(mutation, () => notice(mutation, ENOUGH))
const all = chosen.length + simulated.length
process.stdout.write(`${all - survivors} of ${all} killed\n`)
process.exitCode = survivors > 0 || all === 0 ? 1 : 0

async function judge({ name }: Pick<Mutation, 'name'>, findKiller: () => Promise<string | null>): Promise<void> {
  const started = performance.now()
  const killer = await findKiller()
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  if (killer === null) survivors += 1
  const verdict = killer === null ? 'SURVIVED' : 'killed  '
  process.stdout.write(`${verdict} ${name.padEnd(46)} ${seconds.padStart(5)} s  ${killer ?? ''}\n`)
}

/** Returns the first test that fails on the mutated copy; null if all pass. */
function killerOf(mutation: Mutation): Promise<string | null> {
  return inCopy(async (copy) => {
    mutate(join(copy, mutation.file), mutation)
    for (const tests of mutation.tests) {
      const failed = await firstFailure(copy, tests)
      if (failed !== null) return failed
    }
    return null
  })
}

async function inCopy<T>(work: (copy: string) => Promise<T>): Promise<T> {
  const copy = mkdtempSync(join(tmpdir(), 'muster-mutate-'))
  try {
    for (const name of COPIED) cpSync(join(ROOT, name), join(copy, name), { recursive: true })
    for (const name of LINKED) symlinkSync(join(ROOT, name), join(copy, name))
    return await work(copy)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

function mutate(file: string, { name, find, replace }: Mutation): void {
  const text = readFileSync(file, 'utf8')
  const places = text.split(find).length - 1
  if (places !== 1)
    throw new Error(`"${name}" must change one place of ${file}, but its text occurs there ${places} times`)
  writeFileSync(
    file,
    text.replace(find, () => replace),
  )
}

interface Report {
  readonly testResults: readonly {
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

async function firstFailure(copy: string, tests: string): Promise<string | null> {
  const report = join(copy, 'report.json')
  rmSync(report, { force: true })
  // Each copy has another path, so the cache of modules would only grow.
  const uncached = '--experimental.fsModuleCache=false'
  const args = ['run', '--bail', '1', uncached, '--reporter', 'json', '--outputFile', report, '--silent=true', tests]
  const { NODE_EXTRA_CA_CERTS: _unused, ...env } = process.env
  const child = spawn(process.execPath, [join(copy, 'node_modules/vitest/vitest.mjs'), ...args], {
    cwd: copy,
    env,
    stdio: 'ignore',
  })
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  if (code === 0) return null
  if (!existsSync(report)) throw new Error(`vitest could not run ${tests}`)
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as Report
  const failed = testResults.flatMap((result) => result.assertionResults).find((result) => result.status === 'failed')
  return failed?.fullName ?? testResults.find((result) => result.message !== '')?.message.split('\n')[0] ?? tests
}
