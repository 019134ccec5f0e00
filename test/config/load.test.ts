import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { homeOf, makePrivateFolder } from '../../src/config/home.ts'
import { loadOptions } from '../../src/config/load.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'muster-config-'))
  const made = home
  onTestFinished(() => rmSync(made, { recursive: true, force: true }))
})

const env = (more: Record<string, string> = {}): Record<string, string> => ({
  MUSTER_HOME: home,
  MUSTER_USER: 'ada',
  ...more,
})

test('an empty data folder gives the default options', async () => {
  expect(await loadOptions(env())).toMatchObject({
    home,
    store: join(home, 'muster.db'),
    board: 'default',
    user: 'ada',
    machineCap: 4,
    dispatcherLeaseMs: 15_000,
    insideRun: null,
    warnings: [],
  })
})

test('an environment variable overrides config.yaml, and config.yaml overrides the default', async () => {
  writeFileSync(join(home, 'config.yaml'), 'machineCap: 2\nsweepMs: 100\n')
  expect(await loadOptions(env({ MUSTER_MACHINE_CAP: '8' }))).toMatchObject({
    machineCap: 8,
    sweepMs: 100,
    warnings: [],
  })
})

test('a value that is not valid gives a warning and the default', async () => {
  writeFileSync(join(home, 'config.yaml'), 'machineCap: many\nsweepMs: 0\nmachinecap: 3\n')
  const options = await loadOptions(env({ MUSTER_INTENT_WAIT_MS: '-5' }))
  expect(options).toMatchObject({ machineCap: 4, sweepMs: 5_000, intentWaitMs: 15_000 })
  expect(options.warnings).toHaveLength(4)
  expect(options.warnings.join('\n')).toMatch(/machineCap in config.yaml.*MUSTER_INTENT_WAIT_MS/s)
})

test.each(['- a list', 'machineCap: [', '"text"'])(
  'a config.yaml without a table of options is ignored: %s',
  async (text) => {
    writeFileSync(join(home, 'config.yaml'), text)
    const options = await loadOptions(env())
    expect(options.machineCap).toBe(4)
    expect(options.warnings).toHaveLength(1)
  },
)

test('the board comes from the flag, else the variable, else the file `current`', async () => {
  writeFileSync(join(home, 'current'), 'third\n')
  expect((await loadOptions(env({ MUSTER_BOARD: 'second' }), { board: 'first' })).board).toBe('first')
  expect((await loadOptions(env({ MUSTER_BOARD: 'second' }))).board).toBe('second')
  expect((await loadOptions(env())).board).toBe('third')
})

test('the --board flag does not change the current board', async () => {
  writeFileSync(join(home, 'current'), 'third\n')
  expect(await loadOptions(env(), { board: ' First ' })).toMatchObject({ board: 'first', currentBoard: 'third' })
  expect(await loadOptions(env({ MUSTER_BOARD: 'Second' }))).toMatchObject({ board: 'second', currentBoard: 'second' })
  expect(await loadOptions(env({ MUSTER_BOARD: '../x' }), { board: 'first' })).toMatchObject({ currentBoard: 'third' })
})

test('an invalid board name is an error on the command line, but only a warning in the file `current`', async () => {
  await expect(loadOptions(env(), { board: 'No Such' })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(loadOptions(env({ MUSTER_BOARD: '../x' }))).rejects.toThrow('MUSTER_BOARD ../x is not a board name')
  writeFileSync(join(home, 'current'), '../x')
  expect(await loadOptions(env())).toMatchObject({
    board: 'default',
    warnings: [expect.stringContaining('names no board')],
  })
})

test('flags and files inside a run do not change the board', async () => {
  writeFileSync(join(home, 'config.yaml'), 'machineCap: many\n')
  const run = { MUSTER_RUN: 'r_0123456789', MUSTER_BOARD: 'mine', MUSTER_AGENT: 'coder' }
  expect(await loadOptions(env(run), { board: 'Not A Board' })).toMatchObject({
    board: 'mine',
    user: 'coder',
    insideRun: { run: 'r_0123456789', socket: null, nonce: null, task: null, lateFolder: null },
    warnings: [],
  })
  const channel = { MUSTER_SOCKET: '/run/s', MUSTER_NONCE: 'n', MUSTER_LATE_FOLDER: '/late' }
  expect((await loadOptions(env({ ...run, ...channel, MUSTER_TASK: 't_0123456789' }))).insideRun).toEqual({
    run: 'r_0123456789',
    socket: '/run/s',
    nonce: 'n',
    task: 't_0123456789',
    lateFolder: '/late',
  })
})

test('the data folder is MUSTER_HOME, which must be absolute, or ~/.muster', () => {
  expect(homeOf({ MUSTER_HOME: '/somewhere' })).toBe('/somewhere')
  expect(homeOf({ MUSTER_HOME: '' })).toMatch(/\/\.muster$/)
  expect(() => homeOf({ MUSTER_HOME: 'here' })).toThrow('give an absolute path')
})

test('a private folder is accessible only to its owner, and is created once', async () => {
  const path = join(home, 'a', 'b')
  expect([await makePrivateFolder(path), await makePrivateFolder(path)]).toEqual([true, false])
  expect(statSync(path).mode & 0o777).toBe(0o700)
})

test('a folder that cannot be created gives a store_io error', async () => {
  writeFileSync(join(home, 'file'), '')
  mkdirSync(join(home, 'folder'))
  await expect(makePrivateFolder(join(home, 'file', 'x'))).rejects.toMatchObject({ code: 'store_io' })
})
