import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import * as esbuild from 'esbuild'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { TaskId } from '../../../src/core/ids.ts'
import { listTrash, trashCardFolder, removeTrashed } from '../../../src/workspaces/sweep/remove-folder.ts'
import { MARKER, TRASH, makeCardFolder } from '../../../src/workspaces/workspaces-root.ts'
import { card } from '../../helpers/sample.ts'
import { unprivilegedUser } from '../../helpers/unprivileged.ts'

const task = card('a')
let folder: string
let home: string
let root: string
let mine: string

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'muster-removal-')))
  const made = folder
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
  home = join(folder, 'home')
  root = join(home, 'boards', 'main', 'workspaces')
  // This folder of the user looks like a workspaces root: it has a marker, a trash and a folder with the name of the
  // card.
  mine = join(folder, 'mine')
  for (const path of [task, TRASH]) mkdirSync(join(mine, path), { recursive: true })
  for (const path of ['thesis', join(task, 'thesis'), MARKER]) writeFileSync(join(mine, path), 'years of work')
  await makeCardFolder({ home, board: 'main', task })
  writeFileSync(join(root, task, 'scrap'), 'x')
})

const place = (over: { home?: string; board?: string; task?: TaskId } = {}) => ({ home, board: 'main', task, ...over })

async function remove(...given: Parameters<typeof trashCardFolder>): Promise<string | null> {
  const moved = await trashCardFolder(...given)
  return moved === null ? 'nothing there' : removeTrashed(moved)
}

const intact = (): void => {
  for (const path of ['thesis', join(task, 'thesis')])
    expect(readFileSync(join(mine, path), 'utf8')).toBe('years of work')
}

test('the folder of a card is removed with everything in it', async () => {
  const at = join(root, task)
  mkdirSync(join(at, 'a\nb', ' -rf', '$(touch x)'), { recursive: true })
  writeFileSync(join(at, 'a\nb', '-rf\n*'), 'x')
  writeFileSync(join(at, '-rf'), 'x')
  mkdirSync(join(at, 'cache', 'deep'), { recursive: true })
  writeFileSync(join(at, 'cache', 'deep', 'module'), 'x')
  chmodSync(join(at, 'cache', 'deep'), 0o500)
  chmodSync(join(at, 'cache'), 0o000)
  symlinkSync(mine, join(at, 'link'))
  symlinkSync(join(mine, 'thesis'), join(at, 'file link'))
  linkSync(join(mine, 'thesis'), join(at, 'second name'))
  const { mode } = statSync(join(mine, 'thesis'))
  expect(await remove(place())).toBeNull()
  expect(readdirSync(root).sort()).toEqual([MARKER, TRASH])
  expect(readdirSync(join(root, TRASH))).toEqual([])
  expect(lstatSync(join(root, TRASH)).mode & 0o777).toBe(0o700)
  expect(statSync(join(mine, 'thesis')).mode).toBe(mode)
  intact()
  expect(await remove(place())).toBe('nothing there')
})

describe('a refused removal changes nothing and gives the reason', () => {
  const swapRoot = (): void => {
    renameSync(root, `${root}.away`)
    symlinkSync(mine, root)
  }
  const attacks: readonly {
    readonly name: string
    readonly prepare: () => void
    readonly during?: () => void
    readonly with?: () => Parameters<typeof trashCardFolder>
    readonly message: RegExp
  }[] = [
    {
      name: 'a workspace that is a link to a user’s tree is not removed (scenario 59)',
      prepare: () => {
        rmSync(join(root, task), { recursive: true })
        symlinkSync(mine, join(root, task))
      },
      message: /it is a link/,
    },
    {
      name: 'a workspace that is a file is not removed',
      prepare: () => {
        rmSync(join(root, task), { recursive: true })
        writeFileSync(join(root, task), 'x')
      },
      message: /not a folder/,
    },
    {
      name: 'nothing is removed from a root that is a link to a user’s tree',
      prepare: swapRoot,
      message: /a link or a file/,
    },
    {
      name: 'nothing is removed if the folder of the board is a link to a user’s tree',
      prepare: () => {
        mkdirSync(join(mine, 'workspaces'))
        renameSync(join(mine, task), join(mine, 'workspaces', task))
        symlinkSync(join('workspaces', task), join(mine, task))
        writeFileSync(join(mine, 'workspaces', MARKER), '')
        renameSync(dirname(root), `${dirname(root)}.away`)
        symlinkSync(mine, dirname(root))
      },
      message: /a link or a file/,
    },
    {
      name: 'nothing is removed from a root whose marker is a link',
      prepare: () => {
        rmSync(join(root, MARKER))
        symlinkSync(join(mine, MARKER), join(root, MARKER))
      },
      message: /it has no file/,
    },
    {
      name: 'nothing is removed if the trash is a link',
      prepare: () => symlinkSync(mine, join(root, TRASH)),
      message: /not a folder that Muster made/,
    },
    ...['..', '.', '', `../${card('a')}`, `../../../../mine/${card('a')}`, '.trash', '/'].map((id) => ({
      name: `nothing is removed for a card with the id ${JSON.stringify(id)}`,
      prepare: () => {},
      with: (): Parameters<typeof trashCardFolder> => [place({ task: id as TaskId })],
      message: /not the id of a card/,
    })),
    {
      name: 'a workspace is not removed if a card or board uses a folder inside it',
      prepare: () => mkdirSync(join(root, task, 'site')),
      with: () => [place(), { protectedPaths: [join(root, task, 'site')] }],
      message: /another card or a board uses/,
    },
    {
      name: 'a workspace is not removed if a card or board uses it through a link',
      prepare: () => symlinkSync(join(root, task), join(folder, 'shortcut')),
      with: () => [place(), { protectedPaths: [join(folder, 'shortcut')] }],
      message: /another card or a board uses/,
    },
    {
      name: 'nothing is removed if a link replaces the workspace during the removal',
      prepare: () => {},
      during: () => {
        renameSync(join(root, task), join(root, 'away'))
        symlinkSync(mine, join(root, task))
      },
      message: /another folder took its place/,
    },
    {
      name: 'nothing is removed if a folder of the user replaces the workspace during the removal',
      prepare: () => {},
      during: () => {
        renameSync(join(root, task), join(root, 'away'))
        renameSync(join(mine, task), join(root, task))
        symlinkSync(join(root, task), join(mine, task))
      },
      message: /another folder took its place/,
    },
  ]
  test.each(attacks)('$name', async (attack) => {
    attack.prepare()
    const [where, care = {}] = attack.with?.() ?? [place()]
    const during = attack.during
    const beforeMove = during === undefined ? {} : { beforeMove: async () => during() }
    await expect(remove(where, { ...care, ...beforeMove })).rejects.toThrow(attack.message)
    intact()
    const kept = [join(root, task), join(root, 'away'), `${root}.away`, `${dirname(root)}.away`]
    expect(kept.some((path) => existsSync(path))).toBe(true)
  })

  test('a link that replaces the root during a removal is not followed', async () => {
    const moved = await trashCardFolder(place(), { beforeMove: async () => swapRoot() }).catch(() => null)
    intact()
    expect(existsSync(join(mine, task))).toBe(true)
    // If the folder was moved, it is in the trash of the original root. The path of the root now leads elsewhere, so
    // the folder stays in that trash.
    expect(moved === null ? 'not moved' : await removeTrashed(moved)).toMatch(
      /replaced meanwhile|was not removed|not moved/,
    )
    intact()
    expect(readdirSync(join(mine, TRASH))).toEqual([])
  })

  test('a link that replaces the trash with a folder of the user is not followed', async () => {
    const moved = await trashCardFolder(place())
    if (moved === null) throw new Error('nothing was moved')
    renameSync(join(root, TRASH), join(root, '.away'))
    renameSync(join(mine, task), join(mine, TRASH, moved.name))
    symlinkSync(join(mine, TRASH), join(root, TRASH))
    expect(await removeTrashed(moved)).toMatch(/the trash was replaced/)
    expect(readFileSync(join(mine, TRASH, moved.name, 'thesis'), 'utf8')).toBe('years of work')
  })
})

describe('the workspaces root', () => {
  test('no folder is removed if the root is the user’s home', async () => {
    vi.stubEnv('HOME', root)
    onTestFinished(() => void vi.unstubAllEnvs())
    await expect(remove(place())).rejects.toThrow(/same folder/)
    expect(existsSync(join(root, task, 'scrap'))).toBe(true)
  })

  test('a board name with .. removes neither the root, nor the board, nor the logs', async () => {
    mkdirSync(join(home, 'runs', 'r_0000000000'), { recursive: true })
    writeFileSync(join(home, 'runs', 'r_0000000000', 'log'), 'x')
    for (const board of ['..', '../..', '../../runs', 'main/workspaces'])
      await expect(remove(place({ board })).then((left) => left ?? 'removed')).resolves.toBe('nothing there')
    expect(existsSync(join(root, task, 'scrap'))).toBe(true)
    expect(existsSync(join(home, 'runs', 'r_0000000000', 'log'))).toBe(true)
  })
})

/** The program that makes files immutable, if the file system supports that. */
const CHATTR = '/usr/bin/chattr'

const user = unprivilegedUser()

describe.skipIf(user === undefined)('files of another user (only root can make them)', () => {
  const asUser = (script: string): string => {
    // The code is bundled into a file, because the other user may be unable to enter the folder of these sources.
    const library = join(folder, 'library.mjs')
    const source = join(import.meta.dirname, '../../../src/workspaces/sweep/remove-folder.ts')
    esbuild.buildSync({ entryPoints: [source], bundle: true, platform: 'node', format: 'esm', outfile: library })
    chmodSync(library, 0o644)
    const code = `import(${JSON.stringify(library)}).then(async ({ trashCardFolder, removeTrashed }) => {
      const moved = await trashCardFolder(${JSON.stringify(place())}); ${script} }).catch((error) => console.log(error.message))`
    const run = {
      encoding: 'utf8',
      uid: user?.uid,
      gid: user?.gid,
      env: { PATH: process.env['PATH'], HOME: folder },
    } as const
    return execFileSync(process.execPath, ['-e', code], { ...run, cwd: folder })
  }
  const giveAway = (path: string): void => execFileSync('chown', ['-R', `${user?.uid}:${user?.gid}`, path]) && undefined

  test('files of another user stay in the trash, and the error names them', () => {
    mkdirSync(join(root, task, 'foreign'))
    writeFileSync(join(root, task, 'foreign', 'secret'), 'x')
    chmodSync(folder, 0o755)
    giveAway(home)
    chownSync(join(root, task, 'foreign'), 0, 0)
    chmodSync(join(root, task, 'foreign'), 0o700)
    const printed = asUser('console.log(await removeTrashed(moved))')
    expect(printed).toMatch(/was not removed: rm: .*foreign.*[Pp]ermission denied/)
    const [name = ''] = readdirSync(join(root, TRASH))
    expect(readFileSync(join(root, TRASH, name, 'foreign', 'secret'), 'utf8')).toBe('x')
  })

  test('a workspace that belongs to another user is not moved', () => {
    chmodSync(folder, 0o755)
    giveAway(home)
    chownSync(join(root, task), 0, 0)
    expect(asUser('console.log(moved)')).toMatch(/cannot be moved \(no permission\)/)
    expect(existsSync(join(root, task, 'scrap'))).toBe(true)
  })

  test('immutable files are reported, and a later attempt removes them', async (context) => {
    writeFileSync(join(root, task, 'stone'), 'x')
    try {
      execFileSync(CHATTR, ['+i', join(root, task, 'stone')], { stdio: 'ignore' })
    } catch {
      return context.skip('this file system has no immutable files')
    }
    const thaw = (): Buffer => execFileSync(CHATTR, ['-R', '-i', home])
    onTestFinished(() => void thaw())
    expect(await remove(place())).toMatch(/was not removed: rm: .*stone.*not permitted/)
    const [left] = await listTrash(home, 'main')
    if (left === undefined) throw new Error('nothing is left')
    thaw()
    expect(await removeTrashed(left)).toBeNull()
    expect(readdirSync(join(root, TRASH))).toEqual([])
  })
})
