import { existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { World } from '../../src/cli/world.ts'
import { fakeServiceTools } from '../helpers/fake-service-tools.ts'
import { makeCliHome } from '../helpers/in-process.ts'

const COMMAND = ['/opt/node/bin/node', '/opt/muster/dist/bin.js']

function makeDesk() {
  const tools = fakeServiceTools()
  const cli = makeCliHome()
  const user = join(cli.around, 'user')
  mkdirSync(user)
  const env = { HOME: user, XDG_CONFIG_HOME: join(user, '.config'), PATH: tools.path }
  const muster = (argv: readonly string[], world: Partial<World> = {}) =>
    cli.run(argv, { env, world: { commandLine: COMMAND, ...world } })
  return { ...cli, user, claude: join(user, '.claude.json'), muster }
}

const SERVICE = process.platform === 'linux' || process.platform === 'darwin'

test('`uninstall` without installed parts prints the path of the data', async () => {
  const { muster, home } = makeDesk()
  const fresh = await muster(['uninstall'])
  expect(fresh).toMatchObject({ code: 0 })
  expect(fresh.stdout).toContain('Nothing to remove: Muster has no service and no MCP entries here.')
  expect(fresh.stdout).not.toContain('--data')
  await muster(['init'])
  const { stdout } = await muster(['uninstall', '--dry-run'])
  expect(stdout).toContain(`Your boards stay in ${home}. To delete them: muster uninstall --data --yes`)
})

test.skipIf(!SERVICE)('the service and the MCP entries are listed, then removed', async () => {
  const { muster, home, claude } = makeDesk()
  writeFileSync(claude, '{"theme": "dark"}')
  await muster(['init'])
  await muster(['service', 'install'])
  await muster(['mcp', 'install', 'claude'])
  const listed = await muster(['uninstall', '--dry-run'])
  expect(listed.code).toBe(0)
  expect(listed.stdout).toContain('Would remove:\n  service    ')
  expect(listed.stdout).toContain(`  MCP entry  Claude Code: ${claude}`)
  const refused = await muster(['uninstall'])
  expect([refused.code, refused.stderr]).toEqual([
    1,
    'Nothing was removed. To remove these parts: muster uninstall --yes\n',
  ])
  expect(existsSync(join(home, 'service.json'))).toBe(true)
  const removed = await muster(['uninstall', '--yes'])
  expect(removed.code).toBe(0)
  expect(removed.stdout).toContain('Removed:\n  service    ')
  expect(existsSync(join(home, 'service.json'))).toBe(false)
  expect(existsSync(home)).toBe(true)
  expect((await muster(['uninstall', '--dry-run'])).stdout).toContain(
    'Nothing to remove: Muster has no service and no MCP entries here.',
  )
})

test('`uninstall` asks for confirmation at a terminal', async () => {
  const { muster, claude } = makeDesk()
  await muster(['mcp', 'install', 'claude'])
  const terminal = { columns: 80, rows: 24, colors: false } as unknown as World['terminal']
  const asked: string[] = []
  const reply = (answer: boolean) => ({
    terminal,
    confirm: async (question: string) => (asked.push(question), answer),
  })
  expect((await muster(['uninstall'], reply(false))).code).toBe(1)
  expect(existsSync(claude)).toBe(true)
  expect((await muster(['uninstall'], reply(true))).stdout).toContain('Removed:')
  expect(existsSync(claude)).toBe(false)
  expect(asked).toEqual(['Remove? [y/N] ', 'Remove? [y/N] '])
})

test('data is deleted only with --data and --yes', async () => {
  const { muster, home } = makeDesk()
  await muster(['init'])
  const refused = await muster(['uninstall', '--data'])
  expect([refused.code, refused.stderr]).toEqual([
    2,
    expect.stringContaining('--data deletes all boards and their files. To confirm, add --yes.'),
  ])
  expect(existsSync(home)).toBe(true)
  const planned = await muster(['uninstall', '--data', '--dry-run'])
  expect(planned.stdout).toContain(`Would delete the data folder ${home}.`)
  expect(existsSync(home)).toBe(true)
  const deleted = await muster(['uninstall', '--data', '--yes'])
  expect(deleted.stdout).toContain(`Deleted the data folder ${home}.`)
  expect(existsSync(home)).toBe(false)
})

test('a folder that is not a data folder is never deleted', async () => {
  const { muster, home } = makeDesk()
  mkdirSync(home)
  writeFileSync(join(home, 'letter.txt'), 'dear')
  const refused = await muster(['uninstall', '--data', '--yes'])
  expect(refused.stderr).toContain(
    `${home} does not look like a Muster data folder, so it was not deleted. Delete it yourself.`,
  )
  expect(existsSync(join(home, 'letter.txt'))).toBe(true)
})

test('files of the user in the data folder are kept', async () => {
  const { muster, home } = makeDesk()
  await muster(['init'])
  writeFileSync(join(home, 'letter.txt'), 'dear')
  mkdirSync(join(home, 'site'))
  writeFileSync(join(home, 'muster.db.backup'), 'mine')
  const { stdout } = await muster(['uninstall', '--data', '--yes'])
  expect(stdout).toMatch(/These entries stay, because Muster did not create them: .*letter\.txt/)
  expect(readdirSync(home).toSorted()).toEqual(['letter.txt', 'muster.db.backup', 'site'])
})

test('a folder with the id of the machine and no agents is never deleted', async () => {
  const { muster, home } = makeDesk()
  mkdirSync(home)
  writeFileSync(join(home, 'machine-id'), 'abcdef')
  expect((await muster(['uninstall', '--data', '--yes'])).stderr).toContain('does not look like a Muster data folder')
  expect(readdirSync(home)).toEqual(['machine-id'])
})

test('a data folder behind a symbolic link is deleted with the link', async () => {
  const { muster, home, user } = makeDesk()
  const real = join(user, 'real')
  mkdirSync(real)
  symlinkSync(real, home)
  await muster(['init'])
  expect((await muster(['uninstall', '--data', '--yes'])).stdout).toContain('Deleted the data folder')
  expect([existsSync(real), lstatSync(home, { throwIfNoEntry: false })]).toEqual([false, undefined])
})

test('`uninstall` reports an unreadable configuration file and removes the rest', async () => {
  const { muster, claude, user } = makeDesk()
  await muster(['mcp', 'install', 'claude'])
  mkdirSync(join(user, '.gemini'))
  writeFileSync(join(user, '.gemini', 'settings.json'), '{ broken')
  const { stdout } = await muster(['uninstall', '--yes'])
  expect(stdout).toMatch(/Could not check: .*settings\.json/)
  expect(existsSync(claude)).toBe(false)
})
