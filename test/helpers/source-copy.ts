/** A copy of the source that a test may change and build. */
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

const ROOT = join(import.meta.dirname, '..', '..')

/** An empty folder that is deleted after the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-recipe-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** `tsconfig.src.json` of the copy checks the types of the program alone. */
export function copySource(): string {
  const copy = makeFolder()
  for (const name of ['src', 'scripts', 'package.json', 'tsconfig.json', 'muster'])
    cpSync(join(ROOT, name), join(copy, name), { recursive: true })
  writeFileSync(join(copy, 'tsconfig.src.json'), JSON.stringify({ extends: './tsconfig.json', include: ['src'] }))
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'))
  return copy
}
