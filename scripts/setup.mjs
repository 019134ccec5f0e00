// Helpers for scripts that run before anything is installed. They use plain Node only.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[/\\]$/, '')

/** An error that is shown without a stack. */
export class SetupError extends Error {
  exitCode
  constructor(/** @type {string} */ message, { exitCode = 1 } = {}) {
    super(message)
    this.exitCode = exitCode
  }
}

/** Runs the body of a command; a `SetupError` ends it with its message and exit code. */
export async function runCommand(/** @type {() => Promise<void>} */ body) {
  try {
    requireNode()
    await body()
  } catch (error) {
    if (!(error instanceof SetupError)) throw error
    process.stderr.write(`\n${error.message}\n`)
    process.exitCode = error.exitCode
  }
}

/** The required version is written only in the engines field of package.json. */
function requireNode() {
  const [major = 0, minor = 0] = /** @type {string} */ (readPackage().engines.node)
    .replace('>=', '')
    .split('.')
    .map(Number)
  const [ourMajor = 0, ourMinor = 0] = process.versions.node.split('.').map(Number)
  if (ourMajor > major || (ourMajor === major && ourMinor >= minor)) return
  throw new SetupError(`Muster needs Node.js ${major}.${minor} or newer; this is ${process.versions.node}.`)
}

export function readPackage() {
  return readJson(path.join(root, 'package.json'))
}

export function readJson(/** @type {string} */ file) {
  return JSON.parse(readFileSync(file, 'utf8'))
}
