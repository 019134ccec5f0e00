import { execFileSync } from 'node:child_process'
import { chmodSync, lstatSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { holdTools } from '../../src/workers/hold-tools.ts'
import { keepFiles } from '../../src/workers/keep-files.ts'
import { makeFolder } from './harnesses/job.ts'

function keptFile() {
  const path = join(makeFolder(), 'settings.json')
  writeFileSync(path, 'mine')
  return { path, was: 'mine', becomes: 'mine and theirs' }
}

const read = ({ path }: { path: string }): string => readFileSync(path, 'utf8')
const tools = (): string => join(makeFolder(), 'holder')

test('what a program has written is out again as soon as it has started its tools, and not before', async () => {
  const file = keptFile()
  const holder = tools()
  const kept = keepFiles([file], holder)
  writeFileSync(file.path, file.becomes)
  writeFileSync(join(holder, '..', 'log'), 'something else')
  expect(read(file)).toBe(file.becomes)
  holdTools(holder)
  await expect.poll(() => read(file)).toBe('mine')
  await kept.stop()
})

test('where no tools are started it is out at the end', async () => {
  const file = keptFile()
  const kept = keepFiles([file], tools())
  writeFileSync(file.path, file.becomes)
  await kept.stop()
  expect(read(file)).toBe('mine')
})

test('a pipe in the place of the file holds up nobody', async () => {
  const file = keptFile()
  const kept = keepFiles([file], tools())
  rmSync(file.path)
  execFileSync('mkfifo', [file.path])
  await kept.stop()
  expect(statSync(file.path).isFIFO()).toBe(true)
})

test('a link stays a link, and a mode a mode', async () => {
  const file = keptFile()
  const real = join(makeFolder(), 'dotfile')
  renameSync(file.path, real)
  symlinkSync(real, file.path)
  chmodSync(real, 0o640)
  const kept = keepFiles([file], tools())
  writeFileSync(file.path, file.becomes)
  await kept.stop()
  expect(read(file)).toBe('mine')
  expect(lstatSync(file.path).isSymbolicLink()).toBe(true)
  expect(statSync(real).mode & 0o777).toBe(0o640)
})

test('any other change stays, and a file that is gone stays away', async () => {
  const [changed, gone] = [keptFile(), keptFile()]
  const kept = keepFiles([changed, gone], tools())
  writeFileSync(changed.path, 'mine, and the agent’s')
  rmSync(gone.path)
  await kept.stop()
  expect(read(changed)).toBe('mine, and the agent’s')
  expect(() => read(gone)).toThrow('ENOENT')
})
