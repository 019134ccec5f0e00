import { existsSync, mkdirSync, readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { installLibrary, sweepLibraries } from '../../../src/supervisor/start/library.ts'
import { testFolder } from '../../helpers/stores.ts'

/** Makes a program with the SQLite binary beside it. */
function makeBuild(content: string) {
  const folder = testFolder()
  const program = join(folder, 'dist', 'supervisor.js')
  mkdirSync(dirname(program))
  writeFileSync(program, content)
  writeFileSync(join(folder, 'dist', 'sqlite.node'), 'binary')
  return { home: join(folder, 'home'), program }
}

test('each build of the program is copied once, under its own name', async () => {
  const { home, program } = makeBuild('one')
  const first = await installLibrary(home, program)
  expect(readFileSync(first.program, 'utf8')).toBe('one')
  expect(readFileSync(join(dirname(first.program), 'sqlite.node'), 'utf8')).toBe('binary')
  expect(await installLibrary(home, program)).toEqual(first)

  writeFileSync(program, 'two')
  const second = await installLibrary(home, program)
  expect(readFileSync(first.program, 'utf8')).toBe('one')
  expect(readFileSync(second.program, 'utf8')).toBe('two')
  expect(new Set(readdirSync(join(home, 'lib')))).toEqual(new Set([first.version, second.version]))
})

test('helper programs are copied with the supervisor and are part of its version', async () => {
  const { home, program } = makeBuild('one')
  const versions: (string | null)[] = []
  for (const name of ['mcp.js', 'acp.js']) {
    writeFileSync(join(dirname(program), name), name)
    const { version, program: copy } = await installLibrary(home, program)
    expect(readFileSync(join(dirname(copy), name), 'utf8')).toBe(name)
    versions.push(version)
  }
  expect(new Set(versions).size).toBe(2)
})

test('two installs at the same time leave one complete copy', async () => {
  const { home, program } = makeBuild('one')
  const [one, two] = await Promise.all([installLibrary(home, program), installLibrary(home, program)])
  expect(one).toEqual(two)
  expect(readdirSync(join(home, 'lib'))).toEqual([one.version])
  expect(readFileSync(one.program, 'utf8')).toBe('one')
})

test('copies of the program that no open run needs and old incomplete copies are removed', async () => {
  const home = testFolder()
  const lib = join(home, 'lib')
  const names = ['1-current', '1-old', '1-run', '1-x.12.tmp', '1-y.13.tmp']
  for (const name of names) mkdirSync(join(lib, name), { recursive: true })
  const longAgo = new Date(Date.now() - 2 * 3_600_000)
  utimesSync(join(lib, '1-y.13.tmp'), longAgo, longAgo)
  expect(await sweepLibraries(home, new Set(['1-current', '1-run', null]))).toEqual(['1-old', '1-y.13.tmp'])
  expect(readdirSync(lib)).toEqual(['1-current', '1-run', '1-x.12.tmp'])
  expect(await sweepLibraries(join(home, 'none'), new Set())).toEqual([])
  expect(existsSync(lib)).toBe(true)
})
