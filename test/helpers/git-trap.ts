/** Puts a git on the PATH that runs a script before a chosen call. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testFolder } from './repository.ts'

export interface GitTrap {
  readonly env: { readonly PATH: string }
  /**
   * Runs the shell script `act` once, before the call of git with these arguments. In the script, `$PPID` is the
   * process that called git, and `$git` is the real program.
   */
  set(args: string, act: string): void
  hasSprung(): boolean
}

export function makeGitTrap(): GitTrap {
  const folder = testFolder()
  const [program, args, act] = ['git', 'args', 'act'].map((name) => join(folder, name)) as [string, string, string]
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  // The script uses only built-in commands of the shell, because git is called often.
  const lines = [
    '#!/bin/sh',
    `git='${real}'`,
    `if [ -e ${args} ] && IFS= read -r call <${args}; then`,
    `  case " $* " in *"$call"*) rm ${args}; . ${act};; esac`,
    'fi',
    'exec "$git" "$@"',
    '',
  ]
  writeFileSync(program, lines.join('\n'))
  chmodSync(program, 0o755)
  return {
    env: { PATH: `${folder}:${process.env['PATH'] ?? ''}` },
    set: (call, script) => {
      writeFileSync(act, script)
      writeFileSync(args, `${call}\n`)
    },
    hasSprung: () => {
      const hasSprung = !existsSync(args)
      rmSync(args, { force: true })
      return hasSprung
    },
  }
}
