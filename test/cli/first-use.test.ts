// Tests the first use of Muster on a machine, and data folders that cannot be used.
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MANIFEST } from '../../src/cli/manifest.ts'
import { OPERATIONS } from '../../src/operations/index.ts'
import { makeMissingCliHome } from '../helpers/in-process.ts'

const SAMPLE_ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  many: ['t_0123456789'],
  any: [],
  one: ['t_0123456789'],
  optional: [],
}

/** The commands that create a data folder. The command `up` is not run, because it does not end. */
const CREATORS = ['init', 'create', 'up', 'boards create']
/** Arguments for the commands that do not accept the sample arguments. */
const SPECIAL: Readonly<Record<string, readonly string[]>> = {
  'boards archive': ['work'],
  'boards delete': ['work', '--yes'],
  'boards rename': ['work', 'Work'],
  'boards set': ['work', 'failureLimit=3'],
  'boards show': [],
  'boards switch': ['work'],
  'boards unarchive': ['work'],
}

function needsBoard(name: string): boolean {
  const { kind } = Object.values(OPERATIONS).find((operation) => operation.name === name) ?? { kind: 'local' }
  return kind !== 'local'
}

describe('without a data folder', () => {
  const others = MANIFEST.filter(({ name }) => !CREATORS.includes(name))

  test.each(others.map(({ name }) => name))(
    '%s without a data folder explains what to do and creates nothing',
    async (name) => {
      const { run, around } = makeMissingCliHome()
      const args = MANIFEST.find((one) => one.name === name)?.args ?? []
      const given = SPECIAL[name] ?? args.flatMap(({ arity }) => SAMPLE_ARGUMENTS[arity] ?? [])
      const { code, stdout, stderr } = await run([...name.split(' '), ...given])
      // A command that needs more arguments exits with 2, and a command about the machine prints its own message.
      const expected = code === 2 || !needsBoard(name) ? /./ : /Create your first card with muster create/
      expect(stdout + stderr).toMatch(expected)
      expect(code === 3 || !needsBoard(name) || code === 2).toBe(true)
      expect(readdirSync(around)).toEqual([])
    },
  )

  test('the first command that writes creates a private data folder and prints its path', async () => {
    const { muster, home } = makeMissingCliHome()
    const first = await muster('create', 'A')
    expect(first.stderr).toBe(`Created your Muster folder: ${home}\n`)
    expect(statSync(home).mode & 0o777).toBe(0o700)
    expect((await muster('create', 'B')).stderr).toBe('')
    const again = await muster('init')
    expect(again).toMatchObject({ code: 0, stderr: '' })
    expect(again.stdout.split('\n')[0]).toBe(`Your Muster folder is already set up: ${home}`)
  })

  test('`init` prints the path of the new data folder on standard output', async () => {
    const { muster, home } = makeMissingCliHome()
    expect(await muster('init')).toMatchObject({ code: 0, stdout: expect.stringContaining(home), stderr: '' })
  })

  test('the first create with --json prints no notice', async () => {
    const { muster } = makeMissingCliHome()
    const { stdout, stderr } = await muster('create', 'A', '--json')
    expect([stderr, typeof JSON.parse(stdout)]).toEqual(['', 'object'])
  })
})

describe('an unusable data folder', () => {
  test('a file as the data folder is an error', async () => {
    const { run, around } = makeMissingCliHome()
    writeFileSync(join(around, 'file'), '')
    const env = { MUSTER_HOME: join(around, 'file') }
    for (const argv of [['init'], ['create', 'x'], ['list'], ['boards', 'create', 'x']]) {
      const { code, stdout, stderr } = await run(argv, { env })
      expect(stdout).toBe('')
      expect(code).toBeGreaterThan(0)
      expect(stderr).toMatch(/^muster: .*\.\n$/)
      expect(stderr).not.toContain('Something went wrong')
    }
    expect(readdirSync(around)).toEqual(['file'])
  })

  test('a relative data folder is refused', async () => {
    const { run } = makeMissingCliHome()
    expect(await run(['init'], { env: { MUSTER_HOME: 'here' } })).toMatchObject({
      code: 2,
      stderr: 'muster: MUSTER_HOME is here: give an absolute path.\n',
    })
  })

  test('a folder in place of the store file is an error', async () => {
    const { muster, home } = makeMissingCliHome()
    mkdirSync(join(home, 'muster.db'), { recursive: true })
    for (const argv of [['init'], ['create', 'x'], ['list']]) {
      const { code, stderr } = await muster(...argv)
      expect(code).toBe(1)
      expect(stderr).toMatch(/^muster: .*muster\.db.*\.\n$/)
      expect(stderr).not.toContain('Something went wrong')
    }
  })
})
