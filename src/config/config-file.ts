/** Reads small files of the data folder: config.yaml, and the file with the current board. */
import { readFileSync } from '../util/guarded-files.ts'
import { BoardError } from '../core/errors.ts'
import { systemReason } from '../util/system-errors.ts'

export type ConfigValues = Readonly<Record<string, unknown>>

/** Reads the configuration file. The YAML parser is loaded only if the file exists. */
export async function readConfigFile(path: string, warnings: string[]): Promise<ConfigValues> {
  const text = readHomeFile(path)
  if (text === null) return {}
  const { parse } = await import('yaml')
  try {
    const value: unknown = parse(text) ?? {}
    if (typeof value !== 'object' || Array.isArray(value)) throw new TypeError('it must hold `key: value` lines')
    return value as Record<string, unknown>
  } catch (error) {
    warnings.push(`${path} is not used: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`)
    return {}
  }
}

/**
 * Reads a file synchronously. Every command reads two small files at its start, and asynchronous reads would take
 * longer.
 */
export function readHomeFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new BoardError('store_io', `${path} cannot be read (${systemReason(error)}).`, {
      details: { path },
      cause: error,
    })
  }
}
