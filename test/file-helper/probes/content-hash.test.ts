import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test } from 'vitest'
import { hashContent as hashOf } from '../../../src/file-helper/probes/content-hash.ts'
import type { HashLimits } from '../../../src/file-helper/probes/content-hash.ts'

function folder(): string {
  const root = mkdtempSync(join(tmpdir(), 'muster-hash-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  writeFileSync(join(root, 'a.txt'), 'one')
  return root
}

const home = mkdtempSync(join(tmpdir(), 'muster-home-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const hashContent = (root: string, how: { limits?: HashLimits } = {}, kind: 'dir' | 'scratch' = 'dir') =>
  hashOf({ folder: root, home, workspace: { kind, repo: null } }, how)

const git = (root: string, ...args: string[]) => execFileSync('git', args, { cwd: root, stdio: 'ignore' })

/** Whether an action changed the hash of the folder. */
async function changes(root: string, act: () => void): Promise<boolean> {
  const before = await hashContent(root)
  act()
  return (await hashContent(root)) !== before
}

test('the hash changes with the content, and only with the content', async () => {
  const root = folder()
  expect(await changes(root, () => utimesSync(join(root, 'a.txt'), 1, 1))).toBe(false)
  expect(await changes(root, () => mkdirSync(join(root, 'empty')))).toBe(false)
  expect(await changes(root, () => writeFileSync(join(root, 'a.txt'), 'two'))).toBe(true)
  expect(await changes(root, () => writeFileSync(join(root, 'empty', 'b'), ''))).toBe(true)
  expect(await changes(root, () => chmodSync(join(root, 'a.txt'), 0o755))).toBe(true)
  expect(await changes(root, () => symlinkSync('a.txt', join(root, 'link')))).toBe(true)
  expect(await changes(root, () => rmSync(join(root, 'link')))).toBe(true)
})

test.each(['folder', 'repository'])(
  'a file in a folder whose name is not UTF-8 counts for the hash of a %s',
  async (kind) => {
    const root = folder()
    if (kind === 'repository') git(root, 'init')
    const odd = Buffer.concat([Buffer.from(`${root}/caf`), Buffer.from([0xe9])])
    mkdirSync(odd)
    const file = Buffer.concat([odd, Buffer.from('/b')])
    expect(await changes(root, () => writeFileSync(file, 'one'))).toBe(true)
    if (kind === 'repository') git(root, 'add', '.')
    expect(await changes(root, () => writeFileSync(file, 'two'))).toBe(true)
  },
)

test('the hash of a repository includes only files that are tracked or not ignored', async () => {
  const root = folder()
  git(root, 'init')
  writeFileSync(join(root, '.gitignore'), 'out/\n')
  git(root, 'add', 'a.txt')
  expect(await changes(root, () => mkdirSync(join(root, 'out')))).toBe(false)
  expect(await changes(root, () => writeFileSync(join(root, 'out', 'x'), 'x'))).toBe(false)
  expect(await changes(root, () => git(root, 'add', '.gitignore'))).toBe(false)
  expect(await changes(root, () => writeFileSync(join(root, 'new.txt'), 'x'))).toBe(true)
  expect(await changes(root, () => writeFileSync(join(root, 'a.txt'), 'x'))).toBe(true)
  expect(await changes(root, () => rmSync(join(root, 'a.txt')))).toBe(true)
})

test('a folder inside a repository is hashed by the rules of that repository', async () => {
  const repository = folder()
  const root = join(repository, 'app')
  mkdirSync(join(root, 'out'), { recursive: true })
  git(repository, 'init')
  writeFileSync(join(repository, '.gitignore'), 'out/\n')
  writeFileSync(join(root, 'known'), 'x')
  git(repository, 'add', '.')
  expect(await changes(root, () => writeFileSync(join(repository, 'a.txt'), 'two'))).toBe(false)
  expect(await changes(root, () => writeFileSync(join(repository, 'new'), 'x'))).toBe(false)
  expect(await changes(root, () => writeFileSync(join(root, 'out', 'x'), 'x'))).toBe(false)
  expect(await changes(root, () => writeFileSync(join(root, 'known'), 'y'))).toBe(true)
  expect(await changes(root, () => writeFileSync(join(root, 'new'), 'x'))).toBe(true)
  const link = join(folder(), 'link')
  symlinkSync(root, link)
  expect(await hashContent(link)).toBe(await hashContent(root))
})

test('the hash includes every file of a nested repository', async () => {
  const root = folder()
  const [tracked, loose] = [join(root, 'tracked'), join(root, 'loose')]
  git(root, 'init')
  for (const inner of [tracked, loose]) {
    mkdirSync(inner)
    git(inner, 'init')
    writeFileSync(join(inner, '.gitignore'), 'out\n')
    writeFileSync(join(inner, 'file'), 'x')
    git(inner, 'add', '.')
    git(inner, '-c', 'user.name=tester', '-c', 'user.email=tester@example.org', 'commit', '-m', 'first')
  }
  git(root, 'add', 'tracked')
  for (const inner of [tracked, loose]) {
    expect(await changes(root, () => git(inner, 'tag', 'here'))).toBe(false)
    for (const name of ['out', 'file', 'new'])
      expect(await changes(root, () => writeFileSync(join(inner, name), 'y'))).toBe(true)
  }
  rmSync(join(tracked, '.git'), { recursive: true })
  expect(await changes(root, () => writeFileSync(join(tracked, 'file'), 'z'))).toBe(true)
})

test('the hash of a scratch folder that is a repository includes every file', async () => {
  const root = folder()
  git(root, 'init')
  writeFileSync(join(root, '.gitignore'), 'out\n')
  const before = await hashContent(root, {}, 'scratch')
  writeFileSync(join(root, 'out'), 'x')
  expect(await hashContent(root, {}, 'scratch')).not.toBe(before)
})

test('the hash includes every file if git fails', async () => {
  const root = folder()
  git(root, 'init')
  writeFileSync(join(root, '.gitignore'), 'out\n')
  writeFileSync(join(root, '.git', 'HEAD'), 'nonsense')
  expect(await changes(root, () => writeFileSync(join(root, 'out'), 'x'))).toBe(true)
})

test('a surrounding repository that tracks no file of the folder is ignored', async () => {
  const around = folder()
  git(around, 'init')
  writeFileSync(join(around, '.gitignore'), '*\n')
  const root = join(around, 'inside')
  mkdirSync(root)
  expect(await changes(root, () => writeFileSync(join(root, 'x'), 'x'))).toBe(true)
})

test('files over the byte limit are hashed by size and time, and too many files give no hash', async () => {
  const root = folder()
  const limits = { files: 2, bytes: 2 }
  const before = await hashContent(root, { limits })
  utimesSync(join(root, 'a.txt'), 1, 1)
  expect(await hashContent(root, { limits })).not.toBe(before)
  writeFileSync(join(root, 'b'), '')
  expect(await hashContent(root, { limits })).toEqual(expect.any(String))
  writeFileSync(join(root, 'c'), '')
  expect(await hashContent(root, { limits })).toBeNull()
  git(root, 'init')
  expect(await hashContent(root, { limits })).toBeNull()
})
