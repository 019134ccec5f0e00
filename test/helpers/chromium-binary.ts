// Finds a Chromium. If Debian or Ubuntu has none, root installs the package `chromium`, so that the browser tests run
// on a fresh machine.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
const folders = ['/usr/bin', '/usr/local/bin', '/usr/lib/chromium', '/opt/google/chrome', '/opt/homebrew/bin']
const applications = ['Chromium', 'Google Chrome', 'Google Chrome for Testing']

/** Returns the path of a Chromium that starts. */
export async function findChromium(): Promise<string> {
  const given = process.env['CHROME_PATH']
  if (given) return requireStarts(given)
  return (await firstThatStarts(installed())) ?? (await installWithApt())
}

async function requireStarts(file: string): Promise<string> {
  if (await starts(file)) return file
  throw new Error(`CHROME_PATH is ${file}, which does not start. Set it to the program of Chromium or Chrome.`)
}

function installed(): readonly string[] {
  const onPath = (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)
  const inFolders = [...onPath, ...folders].flatMap((folder) => names.map((name) => path.join(folder, name)))
  const inApplications = ['/Applications', path.join(os.homedir(), 'Applications')].flatMap((folder) =>
    applications.map((name) => path.join(folder, `${name}.app/Contents/MacOS`, name)),
  )
  return [...new Set([...inFolders, ...inApplications])].filter((file) => existsSync(file))
}

async function firstThatStarts(files: readonly string[]): Promise<string | null> {
  for (const file of files) if (await starts(file)) return file
  return null
}

/**
 * Whether the file starts a browser. Some files, such as `chromium-browser` of Ubuntu, only print how to install the
 * browser.
 */
async function starts(file: string): Promise<boolean> {
  try {
    return /Chrom/.test((await run(file, ['--version'])).stdout)
  } catch {
    return false
  }
}

async function installWithApt(): Promise<string> {
  const isPossible = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')
  const reason = isPossible ? await aptFault() : ''
  const file = await firstThatStarts(installed())
  if (file !== null) return file
  throw new Error(
    'The browser tests need Chromium, but none was found. Install it (on Debian: apt-get install chromium), or set ' +
      `CHROME_PATH to the program of Chromium or Chrome.${reason === '' ? '' : `\napt-get failed: ${reason}`}`,
  )
}

const script = `command -v chromium >/dev/null && exit
apt-get update
apt-get install --yes --no-install-recommends chromium`

/** Installs Chromium. Only one test file installs at a time. Returns an empty text, or why the installation failed. */
async function aptFault(): Promise<string> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  try {
    await run('flock', [path.join(os.tmpdir(), 'muster-apt.lock'), 'sh', '-ec', script], { env, maxBuffer: 2 ** 26 })
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
