/** Reads the files of the dashboard into memory, so a later build cannot mix its files with those of this server. */
import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { readFile } from '../../util/guarded-files.ts'

export interface SiteFile {
  readonly type: string
  readonly etag: string
  /** Whether the name of the file contains a hash of its content. The content of such a file never changes. */
  readonly isHashed: boolean
  readonly body: Uint8Array
  readonly gzip: Uint8Array | null
  readonly brotli: Uint8Array | null
}

/** The files by URL path. */
export type Site = ReadonlyMap<string, SiteFile>

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
}

/**
 * Reads the files of the dashboard. The manifest of the build and compressed copies have other extensions, so they are
 * left out.
 */
export async function readSite(folder: string): Promise<Site> {
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const files = names.filter((name) => TYPES[extname(name)] !== undefined)
  return new Map(await Promise.all(files.map((name) => readSiteFile(folder, name, names))))
}

async function readSiteFile(
  folder: string,
  name: string,
  names: readonly string[],
): Promise<readonly [string, SiteFile]> {
  const file = join(folder, name)
  const compressed = async (extension: string): Promise<Uint8Array | null> =>
    names.includes(`${name}${extension}`) ? readFile(`${file}${extension}`) : null
  const [body, gzip, brotli] = await Promise.all([readFile(file), compressed('.gz'), compressed('.br')])
  const path = `/${relative(folder, file).split(sep).join('/')}`
  return [
    path,
    {
      type: TYPES[extname(name)] ?? 'application/octet-stream',
      etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
      isHashed: path.startsWith('/assets/'),
      body,
      gzip,
      brotli,
    },
  ]
}
