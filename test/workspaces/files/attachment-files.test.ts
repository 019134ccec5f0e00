import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import {
  ATTACHMENT_BYTES,
  attachmentPath,
  dropFile,
  storeFile,
} from '../../../src/workspaces/files/attachment-files.ts'
import { fileFault } from '../../../src/workspaces/managed-folder.ts'
import { examineFile, readPieces } from '../../../src/workspaces/files/readable-file.ts'
import { STAGE, stageArtifacts } from '../../../src/workspaces/files/stage-artifacts.ts'
import { card } from '../../helpers/sample.ts'

let folder: string
let home: string
beforeEach(() => {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'muster-files-')))
  folder = made
  home = join(made, 'home')
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
})

const place = () => ({ home, board: 'default', task: card('a') })
const own = () => join(home, 'boards/default/attachments', card('a'))

async function* of(...pieces: (string | Uint8Array)[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield Buffer.from(piece)
}

describe('storing a file', () => {
  test('a stored file is private, is in the folder of its card, and has a hash', async () => {
    const kept = await storeFile(place(), '../plan.md', of('one ', 'two'))
    expect(kept).toEqual({
      filename: 'plan.md',
      storedPath: `${card('a')}/plan.md`,
      size: 7,
      sha256: createHash('sha256').update('one two').digest('hex'),
    })
    const path = attachmentPath(home, { board: 'default', storedPath: kept.storedPath }) ?? ''
    expect(path).toBe(join(own(), 'plan.md'))
    expect(readFileSync(path, 'utf8')).toBe('one two')
    expect(statSync(path).mode & 0o777).toBe(0o600)
    for (let up = own(); up !== home; up = join(up, '..')) expect(statSync(up).mode & 0o777).toBe(0o700)
    expect(readdirSync(own())).toEqual(['plan.md'])
  })

  test('a stored file may be empty', async () => {
    expect(await storeFile(place(), 'empty', of())).toMatchObject({ size: 0 })
  })

  test('files of one name that are stored at the same time do not replace each other', async () => {
    const kept = await Promise.all(Array.from({ length: 12 }, (_, at) => storeFile(place(), 'log.txt', of(`${at}`))))
    expect(new Set(kept.map(({ filename }) => filename)).size).toBe(12)
    expect(kept.map(({ filename }) => filename)).toContain('log (11).txt')
    for (const [at, { filename }] of kept.entries()) expect(readFileSync(join(own(), filename), 'utf8')).toBe(`${at}`)
  })

  test('a file over 25 MiB is refused and leaves nothing behind', async () => {
    const mega = new Uint8Array(1024 * 1024)
    const megas = Array.from({ length: 25 }, () => mega)
    expect(await storeFile(place(), 'full', of(...megas))).toMatchObject({ size: ATTACHMENT_BYTES })
    let read = 0
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      for (;;) {
        read += 1
        yield mega
      }
    }
    await expect(storeFile(place(), 'endless', endless())).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining('25 MiB'),
    })
    expect(read).toBe(26)
    expect(readdirSync(own())).toEqual(['full'])
  })

  test('a file whose copy is interrupted leaves nothing behind', async () => {
    const broken = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from('half')
      throw new Error('the connection ended')
    }
    await expect(storeFile(place(), 'half', broken())).rejects.toThrow('the connection ended')
    expect(readdirSync(own())).toEqual([])
  })
})

describe('links', () => {
  test.each(['boards', 'boards/default', 'boards/default/attachments', `boards/default/attachments/${card('a')}`])(
    'a link at %s does not lead out of the data folder',
    async (at) => {
      const outside = join(folder, 'outside')
      mkdirSync(outside)
      mkdirSync(join(home, at, '..'), { recursive: true })
      symlinkSync(outside, join(home, at))
      await expect(storeFile(place(), 'x', of('x'))).rejects.toMatchObject({ code: 'store_io' })
      expect(readdirSync(outside)).toEqual([])
      const inside = join(outside, ...`boards/default/attachments/${card('a')}`.slice(at.length + 1).split('/'))
      mkdirSync(inside, { recursive: true })
      writeFileSync(join(inside, 'x'), 'precious')
      await dropFile(home, { board: 'default', storedPath: `${card('a')}/x` }).catch(() => {})
      expect(readFileSync(join(inside, 'x'), 'utf8')).toBe('precious')
    },
  )

  test('the data folder itself can be a link', async () => {
    mkdirSync(join(folder, 'elsewhere'))
    symlinkSync(join(folder, 'elsewhere'), home)
    await storeFile(place(), 'x', of('x'))
    expect(existsSync(join(own(), 'x'))).toBe(true)
  })

  test('removing an attachment that a link replaced removes the link, but not its target', async () => {
    writeFileSync(join(folder, 'target'), 'precious')
    mkdirSync(own(), { recursive: true })
    symlinkSync(join(folder, 'target'), join(own(), 'x'))
    await dropFile(home, { board: 'default', storedPath: `${card('a')}/x` })
    expect([existsSync(join(own(), 'x')), existsSync(join(folder, 'target'))]).toEqual([false, true])
  })
})

test.each(['../x', '/etc/passwd', 'a/../../x', 'a//x', '', '.staged/x'])(
  'an attachment row with the path %j leads to no file',
  async (storedPath) => {
    writeFileSync(join(folder, 'x'), 'precious')
    expect(attachmentPath(home, { board: 'default', storedPath })).toBeNull()
    await dropFile(home, { board: 'default', storedPath })
    expect(existsSync(join(folder, 'x'))).toBe(true)
  },
)

describe('attaching a file by path', () => {
  const store = () => join(folder, 'muster.db')

  test('an attached file is read in pieces', async () => {
    const path = join(folder, 'large')
    const content = Buffer.alloc(600_000, 'muster ')
    writeFileSync(path, content)
    expect(await examineFile(path, store())).toBe(600_000)
    const pieces: Uint8Array[] = []
    for await (const piece of readPieces(path)) pieces.push(piece)
    expect(Buffer.concat(pieces).equals(content)).toBe(true)
    expect(pieces.length).toBeGreaterThan(1)
  })

  test.each([
    ['missing', 'it does not exist'],
    ['.', 'it is a folder'],
  ])('the path %s cannot be attached: %s', async (name, why) => {
    await expect(examineFile(join(folder, name), store())).rejects.toMatchObject({
      code: 'invalid_input',
      message: expect.stringContaining(why),
    })
  })

  test('a device, a relative path and the database cannot be attached', async () => {
    await expect(examineFile('/dev/null', store())).rejects.toMatchObject({ code: 'invalid_input' })
    await expect(examineFile('x', store())).rejects.toMatchObject({ code: 'invalid_input' })
    writeFileSync(store(), '')
    symlinkSync(store(), join(folder, 'innocent'))
    await expect(examineFile(join(folder, 'innocent'), store())).rejects.toMatchObject({ code: 'not_allowed' })
  })
})

test.each([
  ['ENOSPC', 'disk_full'],
  ['EROFS', 'store_read_only'],
  ['EIO', 'store_io'],
])('the system error %s becomes the board error %s', (code, expected) => {
  const error = Object.assign(new Error('no'), { code })
  expect(fileFault(error, '/x')).toMatchObject({ code: expected, message: expect.stringContaining('/x') })
  expect(fileFault(fileFault(error, '/x'), '/y')).toMatchObject({ message: expect.stringContaining('/x') })
})

describe('staged artifacts', () => {
  const stage = (...names: string[]) =>
    stageArtifacts(
      { home, store: join(folder, 'muster.db'), board: 'default', key: 'r_1' },
      names.map((name) => join(folder, name)),
    )
  const staged = () => join(home, 'boards/default/attachments', STAGE, 'r_1')

  test('staged copies are named after the hash of their content, and equal files are staged once', async () => {
    for (const name of ['a', 'b', 'x/a', 'y/a']) {
      mkdirSync(join(folder, name, '..'), { recursive: true })
      writeFileSync(join(folder, name), name.startsWith('y') ? 'other' : 'same')
    }
    const { folder: copies, files } = await stage('a', 'a', 'b', 'x/a', 'y/a')
    expect(files.map(({ name }) => name)).toEqual(['a', 'b', 'a'])
    expect(readdirSync(staged()).sort()).toEqual([...new Set(files.map(({ sha256 }) => sha256))].sort())
    expect(realpathSync(staged())).toBe(copies)
  })

  test('no artifact is staged if one of the files is missing or too large', async () => {
    writeFileSync(join(folder, 'a'), 'x')
    await expect(stage('a', 'missing')).rejects.toMatchObject({ message: expect.stringContaining('missing') })
    expect(existsSync(home)).toBe(false)
    writeFileSync(join(folder, 'large'), Buffer.alloc(ATTACHMENT_BYTES + 1))
    await expect(stage('a', 'large')).rejects.toMatchObject({ message: expect.stringContaining('25 MiB') })
    expect(existsSync(home)).toBe(false)
  })
})
