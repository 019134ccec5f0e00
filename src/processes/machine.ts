/** Identifies this machine, across reboots, and distinguishes containers. */
// oxlint-disable-next-line muster/powers -- files of the system
import { readFileSync, readlinkSync } from 'node:fs'
import os from 'node:os'
import { sha256 } from '../util/sha256.ts'
import { readCommand } from './spawn.ts'

export interface MachineSource {
  /** The permanent id of the system; null if it has none. */
  readonly systemId: () => string | null
  /** Used if there is no id; may change with the network. */
  readonly hostname: () => string
  readonly bootId: () => string | null
  /** The inode of the pid namespace; null if the system has none. */
  readonly pidNamespace: () => string | null
}

export interface Machine {
  readonly id: string
  readonly bootId: string
  readonly pidNamespace: string | null
  /** Its name, for messages. */
  readonly hostname?: string
  /** A hash of the system's own id. An id stored in a data folder is used only if this is the same. */
  readonly system?: string
}

/** The kernel numbers the first pid namespace like this on every Linux (PROC_PID_INIT_INO). */
const INITIAL_NAMESPACE = '4026531836'

/**
 * Pids mean nothing in another namespace, so that counts as another machine. The system's id is hashed, because it is
 * confidential.
 */
export function describeMachine(source: MachineSource): Machine {
  const system = source.systemId() ?? `host:${source.hostname()}`
  const pidNamespace = source.pidNamespace()
  const isInitial = pidNamespace === null || pidNamespace === INITIAL_NAMESPACE
  const hash = sha256(`muster\n${system}\n${isInitial ? '' : pidNamespace}`)
  return {
    id: `m_${hash.slice(0, 16)}`,
    bootId: source.bootId() ?? 'unknown',
    pidNamespace,
    hostname: source.hostname(),
    system: sha256(`muster-system\n${source.systemId() ?? ''}`).slice(0, 16),
  }
}

export const linuxMachine: MachineSource = {
  systemId: () => firstText(['/etc/machine-id', '/var/lib/dbus/machine-id']),
  hostname: os.hostname,
  bootId: () => firstText(['/proc/sys/kernel/random/boot_id']),
  pidNamespace: () => {
    try {
      return /\[(\d+)\]/.exec(readlinkSync('/proc/self/ns/pid'))?.[1] ?? null
    } catch {
      return null
    }
  },
}

export const macMachine: MachineSource = {
  systemId: () => parsePlatformId(readCommand('ioreg', ['-rd1', '-c', 'IOPlatformExpertDevice']) ?? ''),
  hostname: os.hostname,
  bootId: () => readCommand('sysctl', ['-n', 'kern.bootsessionuuid'])?.trim() ?? null,
  pidNamespace: () => null,
}

export const parsePlatformId = (output: string): string | null =>
  /"IOPlatformUUID"\s*=\s*"([^"]+)"/.exec(output)?.[1] ?? null

/** systemd writes `uninitialized` into the file of an image that has not booted yet. */
function firstText(paths: readonly string[]): string | null {
  for (const path of paths) {
    try {
      const text = readFileSync(path, 'utf8').trim()
      if (text !== '' && text !== 'uninitialized') return text
    } catch {
      // Try the next path.
    }
  }
  return null
}
