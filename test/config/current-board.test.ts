import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { forgetBoard, pointAtBoard } from '../../src/config/current-board.ts'

let home = ''
beforeEach(() => {
  const made = mkdtempSync(join(tmpdir(), 'muster-config-'))
  home = join(made, 'home')
  onTestFinished(() => {
    chmodSync(made, 0o700)
    rmSync(made, { recursive: true, force: true })
  })
})

test('forgetting a board removes the file only if it names that board', async () => {
  await pointAtBoard(home, 'work')
  await pointAtBoard(home, 'play')
  expect([readdirSync(home), readFileSync(join(home, 'current'), 'utf8')]).toEqual([['current'], 'play\n'])
  expect(await forgetBoard(home, 'work')).toBe(false)
  expect(await forgetBoard(home, 'play')).toBe(true)
  expect(await forgetBoard(home, 'play')).toBe(false)
  expect(existsSync(join(home, 'current'))).toBe(false)
})

test('a file that cannot be written gives a store_io error', async () => {
  mkdirSync(join(home, 'current'), { recursive: true })
  await expect(pointAtBoard(home, 'work')).rejects.toMatchObject({ code: 'store_io' })
  expect(readdirSync(home)).toEqual(['current'])
})
