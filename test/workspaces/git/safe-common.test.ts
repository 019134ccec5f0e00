/**
 * Tests that the settings of a repository are read only when they change, because every start of git costs
 * milliseconds.
 */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { gitWith } from '../../../src/workspaces/git/git.ts'
import { makeRepository, testFolder } from '../../helpers/repository.ts'

/** Makes a repository, and a git that logs the command of each call. */
function setUp() {
  const repository = makeRepository()
  const { path } = repository
  const folder = testFolder()
  const log = join(folder, 'log')
  writeFileSync(log, '')
  const program = join(folder, 'git')
  writeFileSync(program, `#!/bin/sh\necho "$*" >>${log}\nexec '${repository.git('--exec-path')}/git' "$@"\n`)
  chmodSync(program, 0o755)
  const env = { HOME: folder, PATH: `${folder}:${process.env['PATH'] ?? ''}` }
  const place = { gitDir: join(path, '.git'), common: join(path, '.git'), workTree: path }
  /** Returns the calls of git that read settings, for one command of a new instance. */
  const settingsRead = async (): Promise<string[]> => {
    writeFileSync(log, '')
    await gitWith({ home: testFolder(), env }).run(place, 'rev-parse', 'HEAD')
    return readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => line.includes(' config '))
  }
  return { repository, settingsRead }
}

it('the settings of a repository are read again only when they change', async () => {
  const { repository, settingsRead } = setUp()
  expect(await settingsRead()).toHaveLength(1)
  expect(await settingsRead()).toEqual([])
  repository.git('config', 'user.name', 'Ada')
  expect(await settingsRead()).toHaveLength(1)
})

it('the ssh command of the user is read only for a repository with a remote', async () => {
  const { repository, settingsRead } = setUp()
  const isSsh = (line: string): boolean => line.endsWith('core.sshCommand')
  expect((await settingsRead()).some(isSsh)).toBe(false)
  repository.git('remote', 'add', 'origin', 'https://example.org/x')
  expect((await settingsRead()).some(isSsh)).toBe(true)
})
