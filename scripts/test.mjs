// npm test [-- group... | arguments for vitest]
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { ensureBuilt, ensureInstalled, ensureTestBuilt, ensureWebBuilt } from './ensure.mjs'
import { showTool, stopSignals } from './run-tool.mjs'
import { root, runCommand, SetupError } from './setup.mjs'

/**
 * @typedef {{ name: string, budget: number }} Group  budget: seconds
 * @typedef {{ name: string, reason: string }} Failure
 * @typedef {{ passed: number, skipped: number, failures: Failure[] }} Counts
 * @typedef {Group & Counts & { seconds: number }} Result
 */

/** Every group but `check` is the vitest project of that name. @type {Group[]} */
const groups = [
  { name: 'check', budget: 40 },
  { name: 'unit', budget: 55 },
  { name: 'contract', budget: 65 },
  { name: 'processes', budget: 240 },
  { name: 'browser', budget: 90 },
  { name: 'docs', budget: 40 },
  { name: 'simulation', budget: 25 },
  { name: 'chaos', budget: 25 },
]

/** Groups that need no built program. They also run while the build is broken. */
const runsOnSources = new Set(['check', 'unit', 'simulation'])

/** Cached modules of vitest (vitest.config.ts), which does not remove the entries of changed files. */
const moduleCache = path.join(root, 'node_modules/.cache/vitest')
const weekMs = 7 * 24 * 3600 * 1000

await runCommand(async () => {
  const { chosen, vitestArgs } = readArguments(process.argv.slice(2))
  await ensureInstalled()
  removeOldModules()
  if (chosen.some((group) => !runsOnSources.has(group.name))) {
    await ensureBuilt()
    await ensureWebBuilt()
    await ensureTestBuilt()
  }
  /** @type {Result[]} */
  const results = []
  let interrupted = false
  for (const signal of stopSignals) process.on(signal, () => (interrupted = true))
  for (const group of chosen) {
    results.push(await runGroup(group, vitestArgs))
    if (interrupted) throw new SetupError('Interrupted. The remaining groups did not run.')
  }
  report(results, vitestArgs.length > 0)
})

function removeOldModules() {
  if (!existsSync(moduleCache)) return
  for (const name of readdirSync(moduleCache)) {
    const file = path.join(moduleCache, name)
    const age = Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity)
    if (age > weekMs) rmSync(file, { force: true })
  }
}

/** Leading arguments that are group names choose the groups; the rest goes to vitest. With a filter, `check` is skipped. */
function readArguments(/** @type {string[]} */ args) {
  const firstOther = args.findIndex((arg) => !groups.some((group) => group.name === arg))
  const names = firstOther === -1 ? args : args.slice(0, firstOther)
  const vitestArgs = firstOther === -1 ? [] : args.slice(firstOther)
  const everything = vitestArgs.length > 0 ? groups.slice(1) : groups
  return { chosen: names.length > 0 ? groups.filter((group) => names.includes(group.name)) : everything, vitestArgs }
}

/** @returns {Promise<Result>} */
async function runGroup(/** @type {Group} */ group, /** @type {string[]} */ vitestArgs) {
  process.stdout.write(`\n── ${group.name} ──\n`)
  const started = performance.now()
  const counts = group.name === 'check' ? await runCheck() : await runVitest(group.name, vitestArgs)
  return { ...group, ...counts, seconds: (performance.now() - started) / 1000 }
}

/** @returns {Promise<Counts>} */
async function runCheck() {
  const code = await showTool('scripts/check.mjs', [])
  return code === 0 ? { passed: 1, skipped: 0, failures: [] } : onlyFailed('scripts/check.mjs', `exited with ${code}`)
}

/** @returns {Promise<Counts>} */
async function runVitest(/** @type {string} */ project, /** @type {string[]} */ vitestArgs) {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'muster-test-'))
  const file = path.join(directory, 'counts.json')
  try {
    // With a filter, groups without a matching test do not fail.
    const args = ['run', '--project', project, ...(vitestArgs.length > 0 ? ['--passWithNoTests'] : []), ...vitestArgs]
    const code = await showTool('vitest', args, { MUSTER_TEST_COUNTS: file })
    const counts = readCounts(file)
    // A run can fail without a failed test, for example if a server did not start or vitest crashed.
    if (code === 0 || counts.failures.length > 0) return counts
    return { ...counts, failures: onlyFailed('vitest', `exited with ${code}`).failures }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** @returns {Counts} */
function readCounts(/** @type {string} */ file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return onlyFailed('vitest', 'wrote no test counts')
  }
}

/** @returns {Counts} */
function onlyFailed(/** @type {string} */ name, /** @type {string} */ reason) {
  return { passed: 0, skipped: 0, failures: [{ name, reason }] }
}

/** A group that ran no tests is a failure, unless a filter chose tests of other groups. */
function report(/** @type {Result[]} */ results, /** @type {boolean} */ filtered) {
  const ran = results.filter((result) => result.passed + result.failures.length > 0)
  const shown =
    filtered && ran.length > 0
      ? results
      : results.map((result) => (ran.includes(result) ? result : { ...result, ...onlyFailed(result.name, 'no tests') }))
  for (const failure of shown.flatMap((result) => result.failures)) process.stdout.write(failureText(failure))

  process.stdout.write(`\n${row('group', 'passed', 'failed', 'seconds', 'budget')}\n`)
  for (const result of shown) process.stdout.write(`${resultRow(result)}${remarks(result)}\n`)
  const total = {
    name: 'total',
    passed: sum(shown.map((result) => result.passed)),
    skipped: 0,
    failures: shown.flatMap((result) => result.failures),
    seconds: sum(shown.map((result) => result.seconds)),
    budget: sum(shown.map((result) => result.budget)),
  }
  process.stdout.write(`${resultRow(total)}\n\n${total.passed} passed, ${total.failures.length} failed\n`)
  process.exitCode = total.failures.length === 0 ? 0 : 1
}

/** Repeats each failure at the end, because the start of a long log is often lost. */
function failureText(/** @type {Failure} */ { name, reason }) {
  const lines = reason.split('\n')
  const shown = lines.length > 20 ? [...lines.slice(0, 20), '…'] : lines
  return `\nfailed: ${name}\n${shown.map((line) => `  ${line.slice(0, 300)}\n`).join('')}`
}

function remarks(/** @type {Result} */ result) {
  const notes = [
    result.skipped > 0 && `${result.skipped} skipped`,
    result.seconds > result.budget && 'over budget',
  ].filter(Boolean)
  return notes.length > 0 ? `  ${notes.join(', ')}` : ''
}

function resultRow(/** @type {Result} */ { name, passed, failures, seconds, budget }) {
  return row(name, passed, failures.length, seconds.toFixed(1), budget)
}

function sum(/** @type {number[]} */ numbers) {
  return numbers.reduce((total, number) => total + number, 0)
}

function row(/** @type {string} */ name, /** @type {(string | number)[]} */ ...cells) {
  return name.padEnd(12) + cells.map((cell) => String(cell).padStart(8)).join('')
}
