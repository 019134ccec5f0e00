// npm run check: all checks of the sources that do not run them.
import { runTool } from './run-tool.mjs'

/** Unchanged files are not checked again. */
const CACHE = 'node_modules/.cache/check'

/** One checker: each of the four that tsc starts by default would infer the types of the operations again. */
const typesOf = (/** @type {string} */ config) => {
  const buildInfo = `${CACHE}/${config.replace('/', '-')}.tsbuildinfo`
  return ['-p', config, '--checkers', '1', '--incremental', '--tsBuildInfoFile', buildInfo]
}

/** Prettier uses one core, and would be the last step to end, so two processes check half of the files each. */
const formatOf = (/** @type {string} */ name, /** @type {string[]} */ files) => {
  const cache = ['--cache', '--cache-location', `${CACHE}/prettier-${name}`]
  return { name: `format ${name}`, tool: 'prettier', args: ['--check', ...files, '--log-level', 'warn', ...cache] }
}

/** @type {{ name: string, tool: string, args: string[] }[]} */
const steps = [
  formatOf('tests', ['test']),
  formatOf('others', ['.', '!test']),
  // Rules of .oxlintrc.json: correctness, promises, allowed imports, import cycles (types included).
  {
    name: 'lint, cycles',
    tool: 'oxlint',
    args: ['--type-aware', '--deny-warnings', '--report-unused-disable-directives'],
  },
  { name: 'types', tool: 'typescript:tsc', args: typesOf('tsconfig.json') },
  { name: 'types of web', tool: 'typescript:tsc', args: typesOf('web/tsconfig.json') },
  { name: 'unused code', tool: 'knip', args: ['--no-progress', '--no-config-hints'] },
]

const results = await Promise.all(steps.map(runStep))
for (const { name, output } of results.filter((result) => result.code !== 0)) {
  process.stdout.write(`\n── ${name} ──\n${output}\n`)
}
process.exitCode = results.some((result) => result.code !== 0) ? 1 : 0

async function runStep(/** @type {(typeof steps)[number]} */ { name, tool, args }) {
  const started = performance.now()
  const result = await runTool(tool, args)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  process.stdout.write(`${result.code === 0 ? '✓' : '✗'} ${name.padEnd(14)}${seconds.padStart(5)} s\n`)
  return { name, ...result }
}
