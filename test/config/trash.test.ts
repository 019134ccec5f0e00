import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { moveToTrash } from '../../src/config/trash.ts'

let home = ''
beforeEach(() => {
  const made = mkdtempSync(join(tmpdir(), 'muster-config-'))
  home = join(made, 'home')
  onTestFinished(() => {
    chmodSync(made, 0o700)
    rmSync(made, { recursive: true, force: true })
  })
})

test('a folder that exists is moved to the trash with its files', async () => {
  expect(await moveToTrash(home, join(home, 'boards', 'work'))).toBeNull()
  expect(existsSync(home)).toBe(false)
  mkdirSync(join(home, 'boards', 'work'), { recursive: true })
  writeFileSync(join(home, 'boards', 'work', 'a'), 'kept')
  const target = (await moveToTrash(home, join(home, 'boards', 'work'))) ?? ''
  expect(target.startsWith(join(home, 'trash', 'work-'))).toBe(true)
  expect(readFileSync(join(target, 'a'), 'utf8')).toBe('kept')
})
