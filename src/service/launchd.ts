import { setTimeout as sleep } from 'node:timers/promises'
import { launchdPlace, logFile } from './definition.ts'
import type { ServiceHost } from './definition.ts'
import { launchdPlist } from './launchd-plist.ts'
import { requireTool, runTool } from './run-tool.ts'
import type { ServiceManager, ServiceState } from './service-manager.ts'

const UNLOAD_LOOK_MS = 100
const UNLOAD_LOOKS = 300

/** Manages a launchd agent. Such an agent runs only in a graphical session, so the service always ends at logout. */
export function launchd(host: ServiceHost): ServiceManager {
  const { name, file } = launchdPlace(host)
  const domain = `gui/${host.uid}`
  const isLoaded = async (): Promise<boolean> => (await runTool(host, ['launchctl', 'print', `${domain}/${name}`])).ok
  /** Waits until the old process has ended. `bootout` returns earlier, and `bootstrap` would then fail. */
  const untilUnloaded = async (): Promise<void> => {
    for (let looks = 0; looks < UNLOAD_LOOKS && (await isLoaded()); looks += 1) await sleep(UNLOAD_LOOK_MS)
  }
  return {
    kind: 'launchd',
    name,
    file,
    startCommand: `launchctl kickstart ${domain}/${name}`,
    fault: async () => {
      const { ok, error } = await runTool(host, ['launchctl', 'print', domain])
      return ok ? null : error
    },
    files: (definition) => [{ path: file, content: launchdPlist(name, definition), isSecret: true }],
    activate: async (changed) => {
      const wasLoaded = await isLoaded()
      if (wasLoaded && !changed) return
      if (wasLoaded) {
        await requireTool(host, ['launchctl', 'bootout', `${domain}/${name}`])
        await untilUnloaded()
      }
      await requireTool(host, ['launchctl', 'enable', `${domain}/${name}`])
      await requireTool(host, ['launchctl', 'bootstrap', domain, file])
    },
    deactivate: async () => {
      if (await isLoaded()) await requireTool(host, ['launchctl', 'bootout', `${domain}/${name}`])
    },
    forget: async () => {},
    state: async () => {
      const { ok, output } = await runTool(host, ['launchctl', 'print', `${domain}/${name}`])
      const pid = Number(/^\s*pid = (\d+)$/m.exec(output)?.[1] ?? '0')
      return { ...(await startOf(host, pid)), isEnabled: ok, lingers: null, failure: failureOf(output, pid) }
    },
    logCommand: ({ lines, follow }) => ['tail', '-n', String(lines), ...(follow ? ['-F'] : []), logFile(host.home)],
  }
}

/** The start time of the service. The time comes from `ps`, because launchd does not report it. */
async function startOf(host: ServiceHost, pid: number): Promise<Pick<ServiceState, 'isRunning' | 'since' | 'pid'>> {
  if (pid === 0) return { isRunning: false, since: null, pid: null }
  const { output } = await runTool(host, ['ps', '-o', 'lstart=', '-p', String(pid)])
  const since = Date.parse(output.trim())
  return { isRunning: true, since: Number.isNaN(since) ? null : since, pid }
}

function failureOf(output: string, pid: number): string | null {
  const code = /^\s*last exit code = (\d+)/m.exec(output)?.[1] ?? '0'
  return pid !== 0 || code === '0' ? null : `exit code ${code}`
}
