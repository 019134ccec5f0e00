/** Makes a copy of the source that a test may change and build. */
import { cpSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..', '..')

/** Makes an empty folder, which the caller deletes. */
export const makeFolder = (): string => mkdtempSync(join(tmpdir(), 'muster-recipe-'))

/** Copies the source. `tsconfig.src.json` in the copy checks only the types of `src`. */
export function copySource(): string {
  const copy = makeFolder()
  for (const name of ['src', 'scripts', 'package.json', 'tsconfig.json', 'muster'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  writeFileSync(join(copy, 'tsconfig.src.json'), JSON.stringify({ extends: './tsconfig.json', include: ['src'] }))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}
