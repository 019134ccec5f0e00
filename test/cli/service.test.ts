import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fakeServiceTools } from '../helpers/fake-service-tools.ts'
import { makeCliHome } from '../helpers/in-process.ts'

// The other platforms are tested in test/service, where the platform is a parameter.
test.skipIf(process.platform !== 'linux')(
  'the `service` commands install, show and remove a service on Linux',
  async () => {
    const tools = fakeServiceTools()
    const user = mkdtempSync(join(tmpdir(), 'muster-user-'))
    onTestFinished(() => rmSync(user, { recursive: true }))
    const { run, home } = makeCliHome()
    const how = {
      env: { HOME: user, XDG_CONFIG_HOME: join(user, '.config'), PATH: tools.path, API_KEY: 'k' },
      world: { commandLine: [process.execPath, '/bin/sh'] },
    }
    const muster = (...argv: string[]) => run(argv, how)
    expect(await muster('service', 'status')).toMatchObject({
      code: 1,
      stdout: '○ Muster is not installed as a service. To install it: muster service install\n',
    })
    const installed = await muster('service', 'install', '--env', 'API_KEY')
    expect(installed).toMatchObject({ code: 0 })
    expect(installed.stdout).toMatch(/^Installed muster-[0-9a-f]{8}\.service\. It runs muster up for /)
    expect(installed.stderr).toContain('loginctl enable-linger')
    const status = await muster('service')
    expect(status.code).toBe(0)
    expect(status.stdout).toMatch(/^● muster-[0-9a-f]{8}\.service {2}running since /)
    expect(status.stdout).toContain(`data folder  ${home}`)
    expect(status.stdout).toContain('starts       at login')
    expect((await muster('service', 'logs')).stdout).toBe('12:00 muster: Running cards\n')
    expect((await muster('service', 'install', '--env', 'API_KEY')).stdout).toContain('Already installed:')
    expect((await muster('service', 'uninstall')).stdout).toContain('Stopped the service and removed:')
    expect((await muster('service', 'uninstall')).stdout).toBe('Muster is not installed as a service.\n')
    const unset = await muster('service', 'install', '--env', 'NO_SUCH')
    expect(unset.stderr).toContain('Variable NO_SUCH is not set in this shell. Set it, or leave out --env NO_SUCH.')
  },
)
