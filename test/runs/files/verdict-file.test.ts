import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readVerdict, removeVerdict, writeVerdict } from '../../../src/runs/files/verdict-file.ts'
import { runDirectoryAt } from '../../../src/runs/files/run-directory.ts'
import { runOf } from '../../helpers/sample.ts'
import { testFolder } from '../../helpers/stores.ts'

const fence = { runId: runOf('a'), tokenHash: 'f00d' }
const verdict = { kind: 'complete', summary: 'two lines\nand a separator \u2028 of them', result: 'zwölf' }

function directory() {
  const path = join(testFolder(), 'run')
  mkdirSync(path)
  return runDirectoryAt(path)
}

test('a verdict that was written to the verdict file can be read', async () => {
  const run = directory()
  await writeVerdict(run, fence, verdict)
  expect(await readVerdict(run, fence)).toMatchObject(verdict)
})

test('a verdict of another run or claim is ignored', async () => {
  const run = directory()
  await writeVerdict(run, fence, verdict)
  expect(await readVerdict(run, { ...fence, runId: runOf('b') })).toBeNull()
  expect(await readVerdict(run, { ...fence, tokenHash: 'beef' })).toBeNull()
})

test('a missing, invalid or truncated verdict file is ignored', async () => {
  const run = directory()
  expect(await readVerdict(run, fence)).toBeNull()
  await writeVerdict(run, fence, { kind: 'shrug' })
  expect(await readVerdict(run, fence)).toBeNull()
  await writeVerdict(run, fence, verdict)
  writeFileSync(run.verdict, readFileSync(run.verdict, 'utf8').slice(0, -3))
  expect(await readVerdict(run, fence)).toBeNull()
})

test('a removed verdict can no longer be read', async () => {
  const run = directory()
  await writeVerdict(run, fence, verdict)
  await removeVerdict(run)
  expect(await readVerdict(run, fence)).toBeNull()
})
