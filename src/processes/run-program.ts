/** The one place that runs a small program to its end: git, and what lists, archives and removes. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Environment } from '../config/environment.ts'
import { definedOnly } from '../util/defined-only.ts'

export interface Ran {
  /** Null when it could not be started, was killed, or printed too much. */
  readonly code: number | null
  readonly stdout: Buffer
  /** Its words, or ours where there is no code. */
  readonly stderr: string
  /** What the system said when it could not be started. */
  readonly error: Error | null
}

export interface ProgramCall {
  readonly cwd: string
  /** The whole environment but for the places where programs are found, which it may name. */
  readonly env?: Environment
  readonly stdin?: string | Buffer
  /** Null: as long as it takes, or until the signal. */
  readonly timeoutMs?: number | null
  /** Whether its time ends it and all it started at once, and is waited for no longer: for programs of others. */
  readonly wholeGroup?: boolean
  /** What prints more is ended: half an answer is none. */
  readonly maxBytes?: number
  readonly signal?: AbortSignal | undefined
}

/** Nothing is inherited: neither the place where programs are found nor what they are told by variables. */
const PLAIN = { PATH: '/usr/local/bin:/opt/homebrew/bin:/usr/bin:/bin:/usr/sbin:/sbin', LC_ALL: 'C' }
const TIMEOUT_MS = 10 * 60_000
const MOST_BYTES = 64 * 1024 * 1024

/** A program that cannot be started has failed like any other; only the signal makes this reject. */
export function runProgram(program: string, args: readonly string[], how: ProgramCall): Promise<Ran> {
  const { cwd, env = {}, stdin = '', timeoutMs = TIMEOUT_MS, maxBytes = MOST_BYTES, signal, wholeGroup = false } = how
  return new Promise((resolve, reject) => {
    const plain = { ...PLAIN, ...definedOnly(env) }
    const child = spawn(program, args, { cwd, env: plain, stdio: 'pipe', signal, detached: wholeGroup })
    // Node's own timer goes on when there was nothing to start, and keeps us from ending.
    const timer = timeoutMs === null ? undefined : setTimeout(() => tooLong(), timeoutMs)
    const output: Buffer[] = []
    let [bytes, said] = [0, '']
    const end = (code: number | null, words = '', error: Error | null = null): void => {
      clearTimeout(timer)
      resolve({ code, stdout: Buffer.concat(output), stderr: `${said}${words}`.trim(), error })
    }
    const letGo = (): void => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    }
    const tooLong = (): void => {
      if (!wholeGroup) return void child.kill()
      killGroup(child.pid)
      end(null, `\n${program} did not end in time`)
      letGo()
    }
    child.once('error', (error) => {
      clearTimeout(timer)
      if (signal?.aborted === true) reject(error)
      else end(null, reasonFor(error, program, cwd), error)
    })
    // Without pipes there was no process either: the system's reason follows.
    child.stdin?.on('error', () => {}) // It has ended without reading on, and its status says how.
    child.stdin?.end(stdin)
    child.stdout?.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes <= maxBytes) output.push(piece)
      else child.kill()
    })
    child.stderr?.setEncoding('utf8').on('data', (piece: string) => void (said = bothEnds(said + piece)))
    // What it started may hold its pipes open for longer; there is nothing more to wait for.
    child.once('exit', (_, killedBy) => {
      if (killedBy === null) return
      const why = bytes > maxBytes ? `printed more than ${maxBytes} bytes` : `was ended by ${killedBy}`
      end(null, `\n${program} ${why}`)
      letGo()
    })
    child.once('close', (code) => end(bytes > maxBytes ? null : code))
  })
}

/** Its number is that of its leader, who may have gone before the others. */
function killGroup(leader: number | undefined): void {
  try {
    if (leader !== undefined) process.kill(-leader, 'SIGKILL')
  } catch {
    // Nobody is left.
  }
}

/** The system says the same of a program and of a folder that are not there. */
function reasonFor({ message, code }: NodeJS.ErrnoException, program: string, cwd: string): string {
  if (code !== 'ENOENT') return message
  return existsSync(cwd) ? `${program} is not installed here, or not on the PATH: install it.` : `${cwd} is not there.`
}

const END_LENGTH = 4_000

/** Some say first what is wrong, some last. */
const bothEnds = (text: string): string =>
  text.length > 2 * END_LENGTH ? `${text.slice(0, END_LENGTH)}${text.slice(-END_LENGTH)}` : text
