// Starts a PostgreSQL server as another user, because the server refuses to run as root. It must not outlive a test run
// that was killed.
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chownSync } from 'node:fs'

interface User {
  readonly uid: number
  readonly gid: number
}

/** Returns the other user. Undefined if this process is not root, because the server then runs as the current user. */
export function unprivilegedUser(): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const user = findUser('postgres') ?? findUser('nobody')
  if (!user)
    throw new Error('PostgreSQL refuses to run as root, and neither the user postgres nor the user nobody exists.')
  return user
}

export function giveTo(user: User | undefined, directory: string): void {
  if (user) chownSync(directory, user.uid, user.gid)
}

/**
 * Starts a program as that user. On Linux with setpriv, the kernel interrupts the program when this process dies, even
 * after `kill -9`.
 */
export function spawnAs(user: User | undefined, program: string, args: readonly string[], cwd: string): ChildProcess {
  const options = { cwd, stdio: ['ignore', 'pipe', 'pipe'] as ['ignore', 'pipe', 'pipe'] }
  if (!hasDeathSignal()) return spawn(program, args, { ...options, ...user })
  const identity = user ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : []
  return spawn('setpriv', [...identity, '--pdeathsig', 'INT', program, ...args], options)
}

function findUser(name: string): User | undefined {
  try {
    return { uid: idOf(name, '-u'), gid: idOf(name, '-g') }
  } catch {
    return undefined
  }
}

function idOf(name: string, flag: '-u' | '-g'): number {
  return Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
}

function hasDeathSignal(): boolean {
  try {
    return execFileSync('setpriv', ['--help'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).includes(
      '--pdeathsig',
    )
  } catch {
    return false
  }
}
