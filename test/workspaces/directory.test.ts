import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { expect, test } from 'vitest'
import { realDirectory, enterDirectory } from '../../src/workspaces/directory.ts'
import { testFolder } from '../helpers/repository.ts'
import { unprivilegedUser } from '../helpers/unprivileged.ts'

test('two paths of one directory give the same real path, and a missing directory gives null', async () => {
  const folder = testFolder()
  const link = join(testFolder(), 'link')
  symlinkSync(folder, link)
  expect(await realDirectory({ kind: 'dir', path: link })).toBe(folder)
  expect(await realDirectory({ kind: 'dir', path: `${folder}/.` })).toBe(folder)
  expect(await realDirectory({ kind: 'dir', path: join(folder, 'missing') })).toBeNull()
  expect(await realDirectory({ kind: 'scratch', path: folder })).toBeNull()
})

test('a missing directory, or a file, is refused with the reason', async () => {
  const folder = testFolder()
  writeFileSync(join(folder, 'file'), '')
  await expect(enterDirectory(join(folder, 'missing'))).rejects.toThrow('does not exist')
  await expect(enterDirectory(join(folder, 'file'))).rejects.toThrow('is not a directory')
  await expect(enterDirectory(null)).rejects.toThrow('names no directory')
  expect(await enterDirectory(folder)).toBe(folder)
})

test('a directory that is not writable is refused with the reason (scenario 53)', () => {
  const folder = join(testFolder(), 'closed')
  mkdirSync(folder)
  chmodSync(folder, 0o555)
  chmodSync(join(folder, '..'), 0o755)
  expect(enterAsAnother(folder)).toBe(`Directory ${folder} cannot be written: check its permissions.\n`)
})

/**
 * Enters a directory as another user, because root can write everywhere. The code is an argument, because this user may
 * be unable to read our files.
 */
function enterAsAnother(folder: string): string {
  const { outputFiles } = buildSync({
    stdin: {
      contents: `import { enterDirectory } from './src/workspaces/directory.ts'
        enterDirectory(process.argv[1]).then(() => console.log('entered'), ({ message }) => console.log(message))`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    write: false,
    platform: 'node',
    format: 'cjs',
  })
  const code = outputFiles[0]?.text ?? ''
  return execFileSync(process.execPath, ['-e', code, folder], { cwd: '/', encoding: 'utf8', ...unprivilegedUser() })
}
