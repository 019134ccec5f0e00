import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readWhole, readWholeSync } from '../../src/util/read-whole.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'muster-read-'))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}

test('a file is read completely, even through a symbolic link', async () => {
  const root = folder()
  writeFileSync(join(root, 'a'), 'größer')
  symlinkSync(join(root, 'a'), join(root, 'b'))
  expect(await readWhole(join(root, 'b'))).toBe('größer')
  expect(readWholeSync(join(root, 'b'))).toBe('größer')
})

test('a pipe, device, folder or long file is refused without waiting', async () => {
  const root = folder()
  execFileSync('mkfifo', [join(root, 'pipe')])
  symlinkSync(join(root, 'pipe'), join(root, 'to-pipe'))
  symlinkSync('/dev/zero', join(root, 'endless'))
  mkdirSync(join(root, 'folder'))
  for (const name of ['pipe', 'to-pipe', 'endless', 'folder']) {
    await expect(readWhole(join(root, name))).rejects.toThrow('it is not a file')
    expect(() => readWholeSync(join(root, name))).toThrow('it is not a file')
  }
  writeFileSync(join(root, 'long'), 'x'.repeat(11))
  await expect(readWhole(join(root, 'long'), 10)).rejects.toThrow('it has more than 10 bytes')
  expect(() => readWholeSync(join(root, 'long'), 10)).toThrow('it has more than 10 bytes')
  await expect(readWhole(join(root, 'gone'))).rejects.toMatchObject({ code: 'ENOENT' })
})
