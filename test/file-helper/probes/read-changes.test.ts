import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readChanges } from '../../../src/file-helper/probes/read-changes.ts'
import { testFolder } from '../../helpers/stores.ts'

const scratch = { kind: 'scratch', repo: null } as const
const MINUTE = 60_000

const changesIn = (folder: string, since: number | null = null) =>
  readChanges({ folder, home: testFolder(), workspace: scratch, since })

test('an empty folder has no changes', async () => {
  expect(await changesIn(testFolder())).toEqual({ files: '', content: null })
})

test('changed files are listed with their text, the newest first', async () => {
  const folder = testFolder()
  mkdirSync(join(folder, 'in'))
  writeFileSync(join(folder, 'in', 'a.md'), 'first')
  writeFileSync(join(folder, 'b.md'), 'second')
  utimesSync(join(folder, 'in', 'a.md'), new Date(), new Date(Date.now() - MINUTE))
  const { files, content } = await changesIn(folder)
  expect(files).toBe('b.md (6 bytes)\nin/a.md (5 bytes)')
  expect(content).toBe('=== b.md\nsecond\n\n=== in/a.md\nfirst')
})

test('files from before the run are not changes of the run', async () => {
  const folder = testFolder()
  writeFileSync(join(folder, 'old.md'), 'of the user')
  writeFileSync(join(folder, 'new.md'), 'of the agent')
  utimesSync(join(folder, 'old.md'), new Date(), new Date(Date.now() - 60 * MINUTE))
  expect((await changesIn(folder, Date.now() - MINUTE)).files).toBe('new.md (12 bytes)')
})

test('links are not followed, and binary files are only listed', async () => {
  const [folder, elsewhere] = [testFolder(), testFolder()]
  writeFileSync(join(elsewhere, 'secret'), 'a secret')
  symlinkSync(join(elsewhere, 'secret'), join(folder, 'link'))
  writeFileSync(join(folder, 'image'), Buffer.from([1, 0, 2]))
  expect(await changesIn(folder)).toEqual({ files: 'image (3 bytes)', content: null })
})

test('a long file keeps its end', async () => {
  const folder = testFolder()
  writeFileSync(join(folder, 'log'), `FIRST${'x'.repeat(40_000)}LAST`)
  const { content } = await changesIn(folder)
  expect(content).toMatch(/^=== log\n\[…\]\nx+LAST$/)
  expect(content?.length).toBeLessThan(20_000)
})
