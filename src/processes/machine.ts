/** Which machine this is, so exactly that a container, a clone of a disk or a reboot is not taken for another. */
// oxlint-disable-next-line muster/powers -- files of the system
import { readFileSync, readlinkSync } from 'node:fs'
import os from 'node:os'
import { sha256 } from '../util/sha256.ts'
import { readCommand } from './spawn.ts'

export interface MachineSource {
  /** What the system calls itself for good; null when it has no such name. */
  readonly systemId: () => string | null
  /** Taken where it has none; it changes with every network. */
  readonly hostname: () => string
  readonly bootId: () => string | null
  /** The pid namespace's inode, where there are such things. */
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
 * Pids mean nothing in another namespace, so that is another machine. The system's own id is hashed: it is meant to
 * be kept from others.
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
      // Not there: the next place.
    }
  }
  return null
}
