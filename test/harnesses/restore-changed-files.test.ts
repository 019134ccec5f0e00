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
import { restoreChangedFiles, restoreAfterCrash } from '../../src/harnesses/restore-changed-files.ts'
import { makeRunDirectory } from '../../src/runs/files/run-directory.ts'
import type { RunDirectory } from '../../src/runs/files/run-directory.ts'
import { runOf } from '../helpers/sample.ts'
import { makeFolder } from './job.ts'

function changedFile() {
  const path = join(makeFolder(), 'settings.json')
  writeFileSync(path, 'mine')
  return { path, was: 'mine', becomes: 'mine and theirs' }
}

const read = ({ path }: { path: string }): string => readFileSync(path, 'utf8')
const runFolder = (): Promise<RunDirectory> => makeRunDirectory(makeFolder(), runOf('a'))

test('an unwanted change to a user file is undone once the program starts its tools', async () => {
  const file = changedFile()
  const directory = await runFolder()
  const restorer = await restoreChangedFiles([file], directory)
  writeFileSync(file.path, file.becomes)
  writeFileSync(directory.log, 'something else')
  expect(read(file)).toBe(file.becomes)
  claimTools(directory.toolsOwner)
  await expect.poll(() => read(file)).toBe('mine')
  await restorer.stop()
})

test('an unwanted change to a user file is undone at the end of the turn', async () => {
  const file = changedFile()
  const restorer = await restoreChangedFiles([file], await runFolder())
  writeFileSync(file.path, file.becomes)
  await restorer.stop()
  expect(read(file)).toBe('mine')
})

test('a pipe in place of the user file does not block the run', async () => {
  const file = changedFile()
  const restorer = await restoreChangedFiles([file], await runFolder())
  rmSync(file.path)
  execFileSync('mkfifo', [file.path])
  await restorer.stop()
  expect(statSync(file.path).isFIFO()).toBe(true)
})

test('restoring keeps links and file modes', async () => {
  const file = changedFile()
  const real = join(makeFolder(), 'dotfile')
  renameSync(file.path, real)
  symlinkSync(real, file.path)
  chmodSync(real, 0o640)
  const restorer = await restoreChangedFiles([file], await runFolder())
  writeFileSync(file.path, file.becomes)
  await restorer.stop()
  expect(read(file)).toBe('mine')
  expect(lstatSync(file.path).isSymbolicLink()).toBe(true)
  expect(statSync(real).mode & 0o777).toBe(0o640)
})

test('a file that has other changes is not restored, and a deleted file is not recreated', async () => {
  const [changed, gone] = [changedFile(), changedFile()]
  const restorer = await restoreChangedFiles([changed, gone], await runFolder())
  writeFileSync(changed.path, 'mine, and the agent’s')
  rmSync(gone.path)
  await restorer.stop()
  expect(read(changed)).toBe('mine, and the agent’s')
  expect(() => read(gone)).toThrow('ENOENT')
})

describe('after the supervisor crashed', () => {
  test('recovery restores the changed file', async () => {
    const file = changedFile()
    const directory = await runFolder()
    await restoreChangedFiles([file], directory)
    writeFileSync(file.path, file.becomes)
    expect(statSync(directory.kept).mode & 0o777).toBe(0o600)
    await restoreAfterCrash(directory)
    expect(read(file)).toBe('mine')
    expect(existsSync(directory.kept)).toBe(false)
  })

  test('recovery does not touch a file that was already restored', async () => {
    const file = changedFile()
    const directory = await runFolder()
    await (await restoreChangedFiles([file], directory)).stop()
    writeFileSync(file.path, file.becomes)
    await restoreAfterCrash(directory)
    expect(read(file)).toBe(file.becomes)
  })

  test('an invalid saved copy is ignored and removed', async () => {
    const directory = await runFolder()
    writeFileSync(directory.kept, '[{"path": 7}, null]')
    await restoreAfterCrash(directory)
    writeFileSync(directory.kept, 'torn')
    await restoreAfterCrash(directory)
    expect(existsSync(directory.kept)).toBe(false)
  })
})
