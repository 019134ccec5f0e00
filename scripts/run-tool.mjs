// Runs a development tool with the same Node, because npx is slow.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { root } from './setup.mjs'

/** @type {NodeJS.Signals[]} */
export const stopSignals = ['SIGINT', 'SIGTERM', 'SIGHUP']

/**
 * The environment of all processes of checks and tests. NODE_EXTRA_CA_CERTS adds 45-70 ms to every start of Node. It is
 * left out, because these processes do not use TLS.
 */
function childEnvironment() {
  const { NODE_EXTRA_CA_CERTS: _, ...environment } = process.env
  return environment
}

/**
 * Passes signals on to a child that shares our terminal, and returns its exit code.
 * @returns {Promise<number>}
 */
export function follow(/** @type {import('node:child_process').ChildProcess} */ child) {
  const pass = (/** @type {NodeJS.Signals} */ signal) => {
    // A terminal sends Ctrl-C to the whole group, so the child has received it. A second Ctrl-C would end it at once.
    if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of stopSignals) process.on(signal, pass)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code, signal) => {
      for (const name of stopSignals) process.off(name, pass)
      resolve(code ?? 128 + (signal ? os.constants.signals[signal] : 0))
    })
  })
}

/** Runs a tool and shows its output. @returns {Promise<number>} the exit code */
export function showTool(
  /** @type {string} */ name,
  /** @type {string[]} */ args,
  /** @type {NodeJS.ProcessEnv} */ extra = {},
) {
  const child = spawn(process.execPath, [toolPath(name), ...args], {
    cwd: root,
    stdio: 'inherit',
    env: { ...childEnvironment(), ...extra },
  })
  return follow(child)
}

/** Runs a tool and returns its output. @returns {Promise<{ code: number, output: string }>} */
export function runTool(/** @type {string} */ name, /** @type {string[]} */ args) {
  const child = spawn(process.execPath, [toolPath(name), ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...childEnvironment(), ...(process.stdout.isTTY ? { FORCE_COLOR: '1' } : {}) },
  })
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    child.stderr.on('data', (chunk) => (output += chunk))
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output: output.trim() }))
  })
}

/** `name` is a script of this repository, a package, or `typescript:tsc` for the command `tsc` of that package. */
function toolPath(/** @type {string} */ name) {
  if (name.endsWith('.mjs')) return path.join(root, name)
  const [packageName = '', command = packageName] = name.split(':')
  const directory = path.join(root, 'node_modules', packageName)
  const { bin } = JSON.parse(readFileSync(path.join(directory, 'package.json'), 'utf8'))
  return path.join(directory, typeof bin === 'string' ? bin : bin[command])
}
