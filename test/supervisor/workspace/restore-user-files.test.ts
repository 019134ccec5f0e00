import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Store } from '../../../src/storage/store.ts'
import { restoreChangedFiles } from '../../../src/harnesses/restore-changed-files.ts'
import { makeRunDirectory } from '../../../src/runs/files/run-directory.ts'
import type { SupervisedRun } from '../../../src/supervisor/supervised-run.ts'
import { restoreUserFiles } from '../../../src/supervisor/workspace/restore-user-files.ts'
import { runOf, sampleRun, sampleTask } from '../../helpers/sample.ts'
import { makeFolder } from '../../harnesses/job.ts'

test.each([
  ['this machine is restored', 'here', 'mine'],
  ['another machine is not restored', 'there', 'mine and theirs'],
])('a user file that an earlier attempt changed on %s', async (_, machine, expected) => {
  const home = makeFolder()
  const path = join(home, 'settings.json')
  writeFileSync(path, 'mine')
  const directory = await makeRunDirectory(home, runOf('a'))
  await restoreChangedFiles([{ path, was: 'mine', becomes: 'mine and theirs' }], directory)
  writeFileSync(path, 'mine and theirs')

  const earlier = { ...sampleRun(), id: runOf('a'), machine, logPath: directory.log }
  const run = { ...earlier, id: runOf('b'), machine: 'here', logPath: null, attempt: 2 }
  const store = { runs: async () => [earlier, run] } as unknown as Store
  const owned = { store, ticket: { board: 'main' }, task: sampleTask(), run } as unknown as SupervisedRun
  await restoreUserFiles(owned, new AbortController().signal)
  expect(readFileSync(path, 'utf8')).toBe(expected)
})
