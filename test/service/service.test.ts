import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { defaultHome, inHome } from '../../src/config/home.ts'
import { definitionOf, launchdPlace, systemdPlace } from '../../src/service/definition.ts'
import type { ServiceHost } from '../../src/service/definition.ts'
import { followLog } from '../../src/service/follow-log.ts'
import { installService, managerFor, serviceFiles, serviceStatus, uninstallService } from '../../src/service/service.ts'
import { fakeServiceTools } from '../helpers/fake-service-tools.ts'
import { testFolder } from '../helpers/stores.ts'

function makeHost(platform: 'linux' | 'darwin', patch: Partial<ServiceHost> = {}) {
  const tools = fakeServiceTools()
  const user = join(testFolder(), 'user')
  const program = join(user, 'lib', 'bin.js')
  mkdirSync(dirname(program), { recursive: true })
  writeFileSync(program, '')
  const home = join(user, 'muster data')
  const env = { HOME: user, PATH: tools.path }
  const host: ServiceHost = { platform, uid: 501, home, env, commandLine: [process.execPath, program], ...patch }
  const install = (store = inHome.database(home), variables: readonly string[] = []) =>
    installService(host, definitionOf(host, { store, variables }))
  return { tools, user, home, host, program, install }
}

const pathsIn = (folder: string): readonly string[] => readdirSync(folder, { recursive: true }).map(String).toSorted()

describe('the name and file of the service', () => {
  test('the service name contains a hash unless the data folder is the default', () => {
    const { host } = makeHost('linux')
    const plain = { ...host, home: defaultHome() }
    expect(systemdPlace(plain)).toEqual({
      name: 'muster.service',
      file: join(host.env['HOME'] ?? '', '.config/systemd/user/muster.service'),
    })
    expect(launchdPlace(plain).name).toBe('io.github.muster-board.muster')
    const one = systemdPlace({ ...host, home: '/srv/one' }).name
    expect(one).toMatch(/^muster-[0-9a-f]{8}\.service$/)
    expect(systemdPlace({ ...host, home: '/srv/two' }).name).not.toBe(one)
    expect(systemdPlace({ ...plain, env: { XDG_CONFIG_HOME: '/etc/me' } }).file).toBe(
      '/etc/me/systemd/user/muster.service',
    )
    expect(systemdPlace({ ...plain, env: {} }).file).toBe(join(os.homedir(), '.config/systemd/user/muster.service'))
  })
})

describe('systemd', () => {
  test('the systemd unit runs `muster up`, and stopping the unit leaves supervisors alive', async () => {
    const { host, install, program, home, tools } = makeHost('linux')
    const { change, files } = await install()
    const unit = systemdPlace(host)
    expect([change, files]).toEqual(['installed', [unit.file]])
    expect(readFileSync(unit.file, 'utf8'))
      .toBe(`# Written by \`muster service install\`. To change it, run that command again.
[Unit]
Description=Muster: runs AI agents on the cards of your boards
StartLimitIntervalSec=0

[Service]
Type=exec
ExecStart=${process.execPath} ${program} up --no-link
Environment="MUSTER_HOME=${home}"
Environment="PATH=${tools.path}"
Restart=on-failure
RestartSec=10
KillMode=process
OOMPolicy=continue

[Install]
WantedBy=default.target
`)
    expect(tools.calls().slice(0, 4)).toEqual([
      'systemctl --user show-environment',
      'systemctl --user daemon-reload',
      `systemctl --user enable ${unit.name}`,
      `systemctl --user restart ${unit.name}`,
    ])
  })

  test('an option of the service keeps the machine awake', () => {
    const { host } = makeHost('linux', { commandLine: ['/usr/bin/node', '/opt/bin.js'] })
    const definition = definitionOf(host, { store: inHome.database(host.home), variables: [], awake: true })
    expect(managerFor(host).files(definition).at(-1)?.content).toContain(
      'ExecStart=/usr/bin/node /opt/bin.js up --no-link --awake\n',
    )
  })

  test('special characters in the service definition are quoted', () => {
    const { host } = makeHost('linux', { home: '/srv/50% "x"' })
    const definition = definitionOf(
      { ...host, commandLine: ['/opt/my $node', '/b$c.js'] },
      { store: inHome.database(host.home), variables: [] },
    )
    const text = managerFor(host).files(definition).at(-1)?.content
    expect(text).toContain('ExecStart="/opt/my $node" "/b$$c.js" up --no-link')
    expect(text).toContain(String.raw`Environment="MUSTER_HOME=/srv/50%% \"x\""`)
  })

  test("only the user can read the file with the store's address and the named variables", async () => {
    const { install, home, host } = makeHost('linux')
    const withKey = { ...host, env: { ...host.env, API_KEY: 'a"b$c' } }
    await installService(withKey, definitionOf(withKey, { store: 'postgres://ada:pw@db/x', variables: ['API_KEY'] }))
    const file = join(home, 'service.env')
    expect(readFileSync(file, 'utf8').split('\n').slice(1)).toEqual([
      'MUSTER_STORE="postgres://ada:pw@db/x"',
      String.raw`API_KEY="a\"b\$c"`,
      '',
    ])
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const unit = readFileSync(systemdPlace(host).file, 'utf8')
    expect(unit).toContain(`EnvironmentFile=${file}\n`)
    expect(unit).not.toContain('pw')
    await install()
    expect(existsSync(file)).toBe(false)
  })

  test('installing again changes nothing, and a changed definition restarts the service', async () => {
    const { host, install, tools } = makeHost('linux')
    await install()
    tools.calls()
    expect((await install()).change).toBe('none')
    expect(tools.calls()).toContain(`systemctl --user start ${systemdPlace(host).name}`)
    const moved = { ...host, env: { ...host.env, PATH: `${tools.path}:/opt/bin` } }
    const definition = definitionOf(moved, { store: inHome.database(host.home), variables: [] })
    expect((await installService(moved, definition)).change).toBe('updated')
    expect(tools.calls()).toContain(`systemctl --user restart ${systemdPlace(host).name}`)
  })

  test('uninstalling the service removes exactly the files that the install created', async () => {
    const { host, install, user, home, tools } = makeHost('linux')
    mkdirSync(home)
    const before = pathsIn(user)
    await install('postgres://db/x')
    await install('postgres://db/x')
    expect(await serviceFiles(home)).toEqual([
      join(home, 'service.env'),
      systemdPlace(host).file,
      join(home, 'service.json'),
    ])
    tools.calls()
    expect(await uninstallService(host)).toHaveLength(3)
    expect(pathsIn(user)).toEqual(before)
    expect(tools.calls()).toEqual([
      `systemctl --user disable --now ${systemdPlace(host).name}`,
      'systemctl --user daemon-reload',
      `systemctl --user reset-failed ${systemdPlace(host).name}`,
    ])
    expect(await uninstallService(host)).toEqual([])
  })

  test('an interrupted update restarts the service at the next install', async () => {
    const { host, install, tools } = makeHost('linux')
    await install()
    tools.set('busy')
    await expect(install('postgres://db/x')).rejects.toThrow('systemctl --user restart')
    tools.set('busy', false)
    tools.calls()
    expect((await install('postgres://db/x')).change).toBe('updated')
    expect(tools.calls()).toContain(`systemctl --user restart ${systemdPlace(host).name}`)
    expect((await install('postgres://db/x')).change).toBe('none')
  })

  test('a service that cannot be stopped is not removed', async () => {
    const { host, install, tools, home } = makeHost('linux')
    await install()
    const { file } = systemdPlace(host)
    tools.set('no-bus')
    await expect(uninstallService(host)).rejects.toThrow(
      /cannot be stopped \(Failed to connect to bus.*\), so it was not removed/,
    )
    expect(await serviceFiles(home)).toContain(file)
    // A person removed the unit after its machine lost systemd.
    rmSync(file)
    expect(await uninstallService(host)).toEqual([join(home, 'service.json')])
  })

  test('a file that Muster did not write is never replaced', async () => {
    const { host, install } = makeHost('linux')
    const { file } = systemdPlace(host)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, '[Service]\n')
    await expect(install()).rejects.toThrow(`${file} exists, and Muster did not write it. Move it away first.`)
    expect(readFileSync(file, 'utf8')).toBe('[Service]\n')
  })

  test('on a machine without systemd, the error is one clear sentence', async () => {
    const { install, tools, host } = makeHost('linux')
    tools.set('no-bus')
    await expect(install()).rejects.toThrow(
      'Muster cannot run as a service here: this machine has no systemd for your user (Failed to connect to bus: No medium found). Start it yourself with: nohup muster up >muster.log 2>&1 &',
    )
    const bare = { ...host, env: { ...host.env, PATH: '/nowhere' } }
    const definition = definitionOf(bare, { store: inHome.database(host.home), variables: [] })
    await expect(installService(bare, definition)).rejects.toThrow('(systemctl is not installed)')
    expect(existsSync(host.home)).toBe(false)
  })

  test('a program that npx started cannot be installed as a service', async () => {
    const { host } = makeHost('linux', { commandLine: ['/usr/bin/node', '/home/ada/.npm/_npx/1/muster/bin.js'] })
    const definition = definitionOf(host, { store: inHome.database(host.home), variables: [] })
    await expect(installService(host, definition)).rejects.toThrow('npm install -g muster-board')
  })

  test('the status of the service names the problem and the command to run', async () => {
    const { host, install, tools, program } = makeHost('linux')
    const problem = async () => (await serviceStatus(host)).problem
    expect(await serviceStatus(host)).toMatchObject({
      isInstalled: false,
      problem: { text: 'Muster is not installed as a service.', fix: 'muster service install' },
    })
    await install()
    expect(await serviceStatus(host)).toMatchObject({ isRunning: true, since: 1_760_097_600_000, pid: 4711 })
    expect(await problem()).toEqual({
      text: 'The service ends when you log out, and does not start at boot.',
      fix: 'loginctl enable-linger',
    })
    tools.set('linger')
    expect(await problem()).toBeNull()
    tools.set('enabled', false)
    expect(await problem()).toMatchObject({ fix: 'muster service install' })
    tools.set('running', false)
    expect(await problem()).toMatchObject({ fix: `systemctl --user start ${systemdPlace(host).name}` })
    tools.set('broken')
    expect(await problem()).toEqual({ text: 'The service ended with exit code 3.', fix: 'muster service logs' })
    rmSync(program)
    expect(await problem()).toEqual({
      text: `The program of the service no longer exists: ${program}.`,
      fix: 'muster service install',
    })
  })

  test('the log of the service comes from the systemd journal', async () => {
    const { host, tools } = makeHost('linux')
    let text = ''
    await followLog(
      host,
      { lines: 20, follow: true },
      { write: (part) => (text += part), signal: new AbortController().signal },
    )
    expect(text).toBe('12:00 muster: Running cards\n')
    expect(tools.calls()).toEqual([`journalctl --user-unit ${systemdPlace(host).name} --lines 20 --no-pager --follow`])
  })
})

describe('launchd', () => {
  test('the launchd agent runs `muster up` with its data folder, and hides secrets from other users', async () => {
    const { host, install, home, program, tools } = makeHost('darwin')
    const { file, name } = launchdPlace(host)
    expect(await install('postgres://a&b')).toMatchObject({ change: 'installed', files: [file] })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- Written by \`muster service install\`. To change it, run that command again. -->
<plist version="1.0">
<dict>
  <key>Label</key>
  <string>${name}</string>
  <key>ProgramArguments</key>
  <array>
    <string>${process.execPath}</string>
    <string>${program}</string>
    <string>up</string>
    <string>--no-link</string>
  </array>
  <key>EnvironmentVariables</key>
  <dict>
    <key>MUSTER_HOME</key>
    <string>${home}</string>
    <key>PATH</key>
    <string>${tools.path}</string>
    <key>MUSTER_STORE</key>
    <string>postgres://a&amp;b</string>
  </dict>
  <key>RunAtLoad</key>
  <true/>
  <key>KeepAlive</key>
  <dict>
    <key>SuccessfulExit</key>
    <false/>
  </dict>
  <key>ThrottleInterval</key>
  <integer>10</integer>
  <key>AbandonProcessGroup</key>
  <true/>
  <key>StandardOutPath</key>
  <string>${join(home, 'service.log')}</string>
  <key>StandardErrorPath</key>
  <string>${join(home, 'service.log')}</string>
</dict>
</plist>
`)
    expect(tools.calls()).toEqual([
      'launchctl print gui/501',
      `launchctl print gui/501/${name}`,
      `launchctl enable gui/501/${name}`,
      `launchctl bootstrap gui/501 ${file}`,
      `launchctl print gui/501/${name}`,
      'ps -o lstart= -p 4711',
    ])
  })

  test('a service definition is loaded again only if it has changed', async () => {
    const { host, install, tools } = makeHost('darwin')
    await install()
    tools.calls()
    expect((await install()).change).toBe('none')
    expect(tools.calls().filter((call) => /boot/.test(call))).toEqual([])
    expect((await install('postgres://db/x')).change).toBe('updated')
    const { name, file } = launchdPlace(host)
    expect(tools.calls().filter((call) => /boot/.test(call))).toEqual([
      `launchctl bootout gui/501/${name}`,
      `launchctl bootstrap gui/501 ${file}`,
    ])
  })

  test('a service shows its status and log, and uninstalls without leftovers', async () => {
    const { host, install, home, user } = makeHost('darwin')
    mkdirSync(home)
    const before = pathsIn(user)
    await install()
    expect(await serviceStatus(host)).toMatchObject({ isRunning: true, isEnabled: true, pid: 4711, problem: null })
    writeFileSync(join(home, 'service.log'), 'one\ntwo\nthree\n')
    let text = ''
    await followLog(
      host,
      { lines: 2, follow: false },
      { write: (part) => (text += part), signal: new AbortController().signal },
    )
    expect(text).toBe('two\nthree\n')
    await uninstallService(host)
    expect(pathsIn(user)).toEqual(before)
    expect((await serviceStatus(host)).isInstalled).toBe(false)
  })
})

test('on an unsupported system, the error is one clear sentence', () => {
  const { host } = makeHost('linux')
  expect(() => managerFor({ ...host, platform: 'freebsd' })).toThrow(
    'Muster cannot run as a service here: freebsd is not supported.',
  )
})
