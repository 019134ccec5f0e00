import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readConfigFile, replaceConfigFile } from '../../../src/mcp-install/config-file.ts'

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'muster-config-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

test.each([
  ['written', '{"ours":1}'],
  ['removed', null],
])('a configuration file that has changed since it was read is not %s', async (_, text) => {
  const folder = makeFolder()
  const path = join(folder, 'settings.json')
  writeFileSync(path, '{}')
  const file = await readConfigFile(path)
  writeFileSync(path, '{"theirs":1}')
  expect(await replaceConfigFile(file, text)).toBe(false)
  expect(readFileSync(path, 'utf8')).toBe('{"theirs":1}')
  expect(readdirSync(folder)).toEqual(['settings.json'])
  expect(await replaceConfigFile(await readConfigFile(path), text)).toBe(true)
  expect(readdirSync(folder)).toEqual(text === null ? [] : ['settings.json'])
})

test('a configuration file that another program creates after the read is not replaced', async () => {
  const path = join(makeFolder(), 'settings.json')
  const file = await readConfigFile(path)
  writeFileSync(path, '{"theirs":1}')
  expect(await replaceConfigFile(file, '{}')).toBe(false)
  expect(readFileSync(path, 'utf8')).toBe('{"theirs":1}')
})
