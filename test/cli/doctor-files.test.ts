import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Finding } from '../../src/storage/store.ts'
import { makeCliHome } from '../helpers/in-process.ts'

async function setUp() {
  const { home, around, muster } = makeCliHome()
  const { id } = (await muster('create', 'a', '--json')).json() as { id: string }
  const folder = join(home, 'boards/default/attachments', id)
  for (const name of ['sound.txt', 'altered.txt', 'longer.txt', 'missing.txt']) {
    writeFileSync(join(around, name), name)
    expect((await muster('attach', id, join(around, name))).code).toBe(0)
  }
  const doctor = async () => {
    const { code, json } = await muster('doctor', '--json')
    return { code, found: (json() as Finding[]).map(({ rule, message }) => ({ rule, message })) }
  }
  return { home, id, folder, muster, doctor }
}

const HOUR_MS = 3_600_000
const makeOld = (path: string): void => utimesSync(path, new Date(0), new Date(Date.now() - 2 * HOUR_MS))

test('`doctor` finds altered, missing and orphaned files of cards', async () => {
  const { id, folder, doctor, muster } = await setUp()
  expect(await doctor()).toEqual({ code: 0, found: [] })
  writeFileSync(join(folder, 'altered.txt'), 'ALTERED.txt')
  writeFileSync(join(folder, 'longer.txt'), 'longer than it was')
  rmSync(join(folder, 'missing.txt'))
  writeFileSync(join(folder, 'orphan.txt'), 'nobody')
  makeOld(join(folder, 'orphan.txt'))
  writeFileSync(join(folder, 'coming.txt'), 'named a moment before it is recorded')
  const { code, found } = await doctor()
  expect(code).toBe(1)
  expect(found.map(({ rule }) => rule)).toEqual([
    'attachment_altered',
    'attachment_altered',
    'attachment_missing',
    'attachment_orphaned',
  ])
  expect(found[0]?.message).toBe(
    `File altered.txt of card ${id} was altered since it was attached (${join(folder, 'altered.txt')}). ` +
      `Put the original file back, or remove it from the card: muster detach ${id} altered.txt`,
  )
  // The remedy that `doctor` suggests for each file works.
  for (const name of ['altered.txt', 'longer.txt', 'missing.txt'])
    expect((await muster('detach', id, name)).code).toBe(0)
  expect((await muster('gc', '--logs-older', '1h', '--yes')).code).toBe(0)
  expect(existsSync(join(folder, 'orphan.txt'))).toBe(false)
  expect(await doctor()).toEqual({ code: 0, found: [] })
})

test('`doctor` reports a folder in the place of a file', async () => {
  const { folder, doctor } = await setUp()
  rmSync(join(folder, 'sound.txt'))
  mkdirSync(join(folder, 'sound.txt'))
  expect((await doctor()).found).toMatchObject([{ rule: 'attachment_altered' }])
})

test('the suggested detach command can be pasted into a shell', async () => {
  const { folder, id, doctor, muster } = await setUp()
  const source = join(folder, 'sound.txt')
  for (const name of ['plan (1).md', '-x.md']) {
    expect((await muster('attach', id, source, '--name', name)).code).toBe(0)
    rmSync(join(folder, name))
  }
  const commands = (await doctor()).found.map(({ message }) => message.split('card: ').at(-1) ?? '')
  expect(commands.toSorted()).toEqual([`muster detach ${id} 'plan (1).md'`, `muster detach ${id} -- -x.md`])
  for (const command of commands) {
    const printed = execFileSync('/bin/sh', ['-c', `printf '%s\\n' ${command}`], { encoding: 'utf8' })
    expect((await muster(...printed.trimEnd().split('\n').slice(1))).code).toBe(0)
  }
})

test('`doctor` checks every page of a long list of files', async () => {
  const { folder, id, doctor, muster } = await setUp()
  const source = join(folder, '..', '..', 'source')
  writeFileSync(source, 'x')
  for (let count = 0; count < 210; count += 1) await muster('attach', id, source, '--name', `n${count}`)
  rmSync(join(folder, 'n209'))
  expect((await doctor()).found).toMatchObject([{ rule: 'attachment_missing' }])
})
