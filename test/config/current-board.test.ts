import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { forgetBoard, pointAtBoard } from '../../src/config/current-board.ts'
import { expandTilde } from '../../src/config/expand-tilde.ts'
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

test('the pointer is written whole, and forgotten only by the board that it names', async () => {
  await pointAtBoard(home, 'work')
  await pointAtBoard(home, 'play')
  expect([readdirSync(home), readFileSync(join(home, 'current'), 'utf8')]).toEqual([['current'], 'play\n'])
  expect(await forgetBoard(home, 'work')).toBe(false)
  expect(await forgetBoard(home, 'play')).toBe(true)
  expect(await forgetBoard(home, 'play')).toBe(false)
  expect(existsSync(join(home, 'current'))).toBe(false)
})

test('a pointer that cannot be written is one clear error', async () => {
  mkdirSync(join(home, 'current'), { recursive: true })
  await expect(pointAtBoard(home, 'work')).rejects.toMatchObject({ code: 'store_io' })
  expect(readdirSync(home)).toEqual(['current'])
})

test('a folder is moved to the trash whole, and one that is not there makes none', async () => {
  expect(await moveToTrash(home, join(home, 'boards', 'work'))).toBeNull()
  expect(existsSync(home)).toBe(false)
  mkdirSync(join(home, 'boards', 'work'), { recursive: true })
  writeFileSync(join(home, 'boards', 'work', 'a'), 'kept')
  const target = (await moveToTrash(home, join(home, 'boards', 'work'))) ?? ''
  expect(target.startsWith(join(home, 'trash', 'work-'))).toBe(true)
  expect(readFileSync(join(target, 'a'), 'utf8')).toBe('kept')
})

test('a tilde means the home of the user, and nobody else’s', () => {
  expect(['~', '~/src', '~ada/src', '/a/~'].map(expandTilde)).toEqual([
    homedir(),
    join(homedir(), 'src'),
    '~ada/src',
    '/a/~',
  ])
})
