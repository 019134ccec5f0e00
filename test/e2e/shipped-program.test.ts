import { readFileSync, readdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { WORLD_VARIABLE } from '../helpers/altered-system.ts'
import { BIN, TEST_BIN } from '../helpers/cli.ts'

/** Returns all code of the newest build, without the files of earlier builds, which stay in the folder for a while. */
function codeIn(folder: string): string {
  const { mtimeMs: began } = statSync(join(folder, 'package.json'))
  const files = readdirSync(folder).filter((name) => /\.(js|code|pack)$/.test(name))
  const current = files.map((name) => join(folder, name)).filter((file) => statSync(file).mtimeMs >= began)
  return current.map((file) => readFileSync(file, 'latin1')).join('\n')
}

const SWITCHES = [new RegExp(WORLD_VARIABLE), /clockOffsetMs/, /disk ?= ?"writable"/]

test.each(SWITCHES)('the shipped program does not contain the test switch %s', (code) => {
  expect(code.test(codeIn(dirname(BIN)))).toBe(false)
  expect(code.test(codeIn(dirname(TEST_BIN)))).toBe(true)
})
