/** Identifies this machine across reboots. Each container counts as its own machine. */
// oxlint-disable-next-line muster/powers -- files of the system
import { readFileSync, readlinkSync } from 'node:fs'
import os from 'node:os'
import { sha256 } from '../util/sha256.ts'
import { readCommand } from './spawn.ts'

export interface MachineSource {
  /** The permanent id of the system. Null means that the system has no id. */
  readonly systemId: () => string | null
  /**
   * The host name, which is used if the system has no id. The host name may change with the network, so it is only the
   * second choice.
   */
  readonly hostname: () => string
  readonly bootId: () => string | null
  /** The inode of the pid namespace. Null means that the system has no pid namespaces. */
  readonly pidNamespace: () => string | null
}

export interface Machine {
  readonly id: string
  readonly bootId: string
  readonly pidNamespace: string | null
  /** The name that messages show. */
  readonly hostname?: string
  /** A hash of the system's own id. An id in a data folder is valid only on the system with the same hash. */
  readonly system?: string
}

/** The inode of the first pid namespace. The inode is the same on every Linux system (PROC_PID_INIT_INO). */
const INITIAL_NAMESPACE = '4026531836'

/**
 * Describes this machine. Each pid namespace has its own pids, so it counts as a separate machine. The system's id is
 * confidential, so only its hash is used.
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

/**
 * The first text in these files. The text `uninitialized` is skipped: systemd writes it into an image that has not
 * booted yet.
 */
function firstText(paths: readonly string[]): string | null {
  for (const path of paths) {
    try {
      const text = readFileSync(path, 'utf8').trim()
      if (text !== '' && text !== 'uninitialized') return text
    } catch {
      // The file does not exist, so the next path is tried.
    }
  }
  return null
}
