/** Makes programs that replace systemd and launchd. They record their calls and keep their state in a folder. */
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { testFolder } from './stores.ts'

const SYSTEMCTL = `
shift
if [ -e "$dir/no-bus" ]; then echo 'Failed to connect to bus: No medium found' >&2; exit 1; fi
case $1 in
  enable) touch "$dir/enabled" ;;
  start|restart) [ -e "$dir/busy" ] && exit 1; [ -e "$dir/broken" ] || touch "$dir/running" ;;
  disable) rm -f "$dir/enabled" "$dir/running" ;;
  show)
    if [ -e "$dir/running" ]; then echo ActiveState=active; echo MainPID=4711; echo 'ActiveEnterTimestamp=Fri 2025-10-10 12:00:00 UTC'
    else echo ActiveState=inactive; echo MainPID=0; fi
    if [ -e "$dir/enabled" ]; then echo UnitFileState=enabled; else echo UnitFileState=disabled; fi
    if [ -e "$dir/broken" ]; then echo Result=exit-code; echo ExecMainCode=1; echo ExecMainStatus=3; else echo Result=success; fi ;;
esac`

const LAUNCHCTL = `
case $1 in
  bootstrap)
    if [ -e "$dir/ending" ]; then echo 'Bootstrap failed: 5: Input/output error' >&2; exit 5; fi
    touch "$dir/running" ;;
  bootout) mv "$dir/running" "$dir/ending" ;;
  print)
    case $2 in
      gui/*/*)
        if [ -e "$dir/ending" ]; then rm "$dir/ending"; exit 0; fi
        [ -e "$dir/running" ] || { echo 'Could not find service' >&2; exit 113; }
        echo "$2 = {"; echo '	state = running'; echo '	pid = 4711'; echo '	last exit code = (never exited)'; echo '}' ;;
    esac ;;
esac`

const TOOLS: Readonly<Record<string, string>> = {
  systemctl: SYSTEMCTL,
  launchctl: LAUNCHCTL,
  loginctl: 'if [ -e "$dir/linger" ]; then echo Linger=yes; else echo Linger=no; fi',
  journalctl: 'echo "12:00 muster: Running cards"',
  ps: 'echo "Fri Oct 10 12:00:00 2025"',
}

export interface FakeServiceTools {
  /** The PATH, on which the replaced tools come first. */
  readonly path: string
  /** Returns the calls since `calls` was last called. */
  readonly calls: () => readonly string[]
  /** Sets or clears a state: `no-bus`, `broken`, `busy`, `linger`, `running` or `enabled`. */
  readonly set: (state: string, is?: boolean) => void
}

export function fakeServiceTools(): FakeServiceTools {
  const dir = join(testFolder(), 'service-tools')
  mkdirSync(join(dir, 'bin'), { recursive: true })
  for (const [name, script] of Object.entries(TOOLS)) {
    const file = join(dir, 'bin', name)
    writeFileSync(file, `#!/bin/sh\ndir='${dir}'\necho "${name} $*" >>"$dir/calls"\n${script}\n`)
    chmodSync(file, 0o755)
  }
  const record = join(dir, 'calls')
  return {
    path: `${join(dir, 'bin')}:/usr/bin:/bin`,
    calls: () => {
      const text = existsSync(record) ? readFileSync(record, 'utf8') : ''
      rmSync(record, { force: true })
      return text.split('\n').slice(0, -1)
    },
    set: (state, is = true) => (is ? writeFileSync(join(dir, state), '') : rmSync(join(dir, state), { force: true })),
  }
}
