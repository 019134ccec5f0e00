import { existsSync } from 'node:fs'
import { BoardError } from '../core/errors.ts'
import { systemdPlace, secretsFile } from './definition.ts'
import type { ServiceHost } from './definition.ts'
import { requireTool, runTool } from './run-tool.ts'
import type { ServiceManager, ServiceState } from './service-manager.ts'
import { environmentFile, systemdUnit } from './systemd-unit.ts'

const systemctl = (...args: string[]): readonly string[] => ['systemctl', '--user', ...args]

const SHOWN = 'LoadState,ActiveState,UnitFileState,ActiveEnterTimestamp,MainPID,ExecMainCode,ExecMainStatus,Result'

export function systemd(host: ServiceHost): ServiceManager {
  const { name, file } = systemdPlace(host)
  return {
    kind: 'systemd',
    name,
    file,
    startCommand: `systemctl --user start ${name}`,
    fault: async () => {
      const { ok, error } = await runTool(host, systemctl('show-environment'))
      return ok ? null : error
    },
    files: (definition) => [
      ...(Object.keys(definition.secrets).length === 0
        ? []
        : [{ path: secretsFile(host.home), content: environmentFile(definition.secrets), isSecret: true }]),
      { path: file, content: systemdUnit(definition), isSecret: false },
    ],
    activate: async (changed) => {
      await requireTool(host, systemctl('daemon-reload'))
      await requireTool(host, systemctl('enable', name))
      await requireTool(host, systemctl(changed ? 'restart' : 'start', name))
    },
    deactivate: () => stopService(host),
    forget: async () => {
      await runTool(host, systemctl('daemon-reload'))
      await runTool(host, systemctl('reset-failed', name))
    },
    state: async () => {
      const [unit, linger] = await Promise.all([
        runTool(host, systemctl('show', name, `--property=${SHOWN}`)),
        runTool(host, ['loginctl', 'show-user', String(host.uid), '--property=Linger']),
      ])
      return { ...stateOf(unit.output), lingers: linger.ok ? /^Linger=yes$/m.test(linger.output) : null }
    },
    logCommand: ({ lines, follow }) => [
      // Without persistent storage, the lines of user units are in the system journal, which the option `--user` would
      // not read.
      'journalctl',
      '--user-unit',
      name,
      '--lines',
      String(lines),
      '--no-pager',
      ...(follow ? ['--follow'] : []),
    ],
  }
}

async function stopService(host: ServiceHost): Promise<void> {
  const { name, file } = systemdPlace(host)
  const { ok, error } = await runTool(host, systemctl('disable', '--now', name))
  if (ok) return
  // The command also fails if a person deleted the unit file. In that case, only a service that is still running is a
  // problem.
  const shown = await runTool(host, systemctl('show', name, '--property=ActiveState'))
  const hasStopped = shown.ok ? /^ActiveState=(?:inactive|failed)$/m.test(shown.output) : !existsSync(file)
  if (!hasStopped)
    throw new BoardError(
      'store_io',
      `Service ${name} cannot be stopped (${error}), so it was not removed. Log in as this user and try again, or delete ${file}.`,
    )
}

function stateOf(shown: string): Omit<ServiceState, 'lingers'> {
  const of = (key: string): string => RegExp(`^${key}=(.*)$`, 'm').exec(shown)?.[1] ?? ''
  const isRunning = of('ActiveState') === 'active'
  const pid = Number(of('MainPID'))
  return {
    isRunning,
    isEnabled: of('UnitFileState') === 'enabled',
    since: isRunning ? timeOf(of('ActiveEnterTimestamp')) : null,
    pid: isRunning && pid > 0 ? pid : null,
    failure: isRunning ? null : failureOf(of('Result'), of('ExecMainCode'), of('ExecMainStatus')),
  }
}

/**
 * Parses a local time such as `Fri 2026-10-10 09:12:00 CEST`. Only systemd 251 and later can print seconds since 1970.
 * The name of the day depends on the language.
 */
function timeOf(stamp: string): number | null {
  const [, day, time, zone] = /(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d) (\S+)$/.exec(stamp) ?? []
  if (day === undefined || time === undefined) return null
  const at = Date.parse(`${day}T${time}${zone === 'UTC' ? 'Z' : ''}`)
  return Number.isNaN(at) ? null : at
}

/** Describes a failure. `code` is 1 for an exit and 2 for a signal. */
function failureOf(result: string, code: string, status: string): string | null {
  if (result === 'success' || result === '') return null
  if (result !== 'exit-code' && result !== 'signal') return result
  return code === '2' ? `signal ${status}` : `exit code ${status}`
}
