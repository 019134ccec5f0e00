import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { claimTools } from '../../src/runs/tools-owner.ts'
import { keepFiles, putBackKept } from '../../src/harnesses/keep-files.ts'
import { makeRunDirectory } from '../../src/runs/files/run-directory.ts'
import type { RunDirectory } from '../../src/runs/files/run-directory.ts'
import { runOf } from '../helpers/sample.ts'
import { makeFolder } from './job.ts'

function keptFile() {
  const path = join(makeFolder(), 'settings.json')
  writeFileSync(path, 'mine')
  return { path, was: 'mine', becomes: 'mine and theirs' }
}

const read = ({ path }: { path: string }): string => readFileSync(path, 'utf8')
const runFolder = (): Promise<RunDirectory> => makeRunDirectory(makeFolder(), runOf('a'))

test('what a program has written is out again as soon as it has started its tools, and not before', async () => {
  const file = keptFile()
  const directory = await runFolder()
  const kept = await keepFiles([file], directory)
  writeFileSync(file.path, file.becomes)
  writeFileSync(directory.log, 'something else')
  expect(read(file)).toBe(file.becomes)
  claimTools(directory.toolsOwner)
  await expect.poll(() => read(file)).toBe('mine')
  await kept.stop()
})

test('where no tools are started it is out at the end', async () => {
  const file = keptFile()
  const kept = await keepFiles([file], await runFolder())
  writeFileSync(file.path, file.becomes)
  await kept.stop()
  expect(read(file)).toBe('mine')
})

test('a pipe in the place of the file holds up nobody', async () => {
  const file = keptFile()
  const kept = await keepFiles([file], await runFolder())
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
  const kept = await keepFiles([file], await runFolder())
  writeFileSync(file.path, file.becomes)
  await kept.stop()
  expect(read(file)).toBe('mine')
  expect(lstatSync(file.path).isSymbolicLink()).toBe(true)
  expect(statSync(real).mode & 0o777).toBe(0o640)
})

test('any other change stays, and a file that is gone stays away', async () => {
  const [changed, gone] = [keptFile(), keptFile()]
  const kept = await keepFiles([changed, gone], await runFolder())
  writeFileSync(changed.path, 'mine, and the agent’s')
  rmSync(gone.path)
  await kept.stop()
  expect(read(changed)).toBe('mine, and the agent’s')
  expect(() => read(gone)).toThrow('ENOENT')
})

describe('without its supervisor', () => {
  test('it is put back by whoever finds the run', async () => {
    const file = keptFile()
    const directory = await runFolder()
    await keepFiles([file], directory)
    writeFileSync(file.path, file.becomes)
    expect(statSync(directory.kept).mode & 0o777).toBe(0o600)
    await putBackKept(directory)
    expect(read(file)).toBe('mine')
    expect(existsSync(directory.kept)).toBe(false)
  })

  test('a turn that was over left nothing to put back: what the user writes later stays', async () => {
    const file = keptFile()
    const directory = await runFolder()
    await (await keepFiles([file], directory)).stop()
    writeFileSync(file.path, file.becomes)
    await putBackKept(directory)
    expect(read(file)).toBe(file.becomes)
  })

  test('what cannot be read puts nothing back, and keeps nobody from going on', async () => {
    const directory = await runFolder()
    writeFileSync(directory.kept, '[{"path": 7}, null]')
    await putBackKept(directory)
    writeFileSync(directory.kept, 'torn')
    await putBackKept(directory)
    expect(existsSync(directory.kept)).toBe(false)
  })
})
