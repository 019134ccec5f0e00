/**
 * The wrapper is a small `sh` process between the supervisor and the agent. It leads the session of the run and writes
 * its pid before the agent starts. When the agent ends, the wrapper writes the exit status, even if the supervisor was
 * killed.
 */
import type { GroupLeader } from '../processes/group.ts'
import type { Fence } from '../core/run.ts'
import { openSeal } from './files/sealed-line.ts'
import type { RunDirectory } from './files/run-directory.ts'
import { readIfExists } from '../util/replace-file.ts'

export const WRAPPER = `#!/bin/sh
# wrapper.sh <run directory> <run id> <token hash> <program> [argument...]
dir=$1 run=$2 hash=$3
shift 3

# The wrapper must survive these signals to write the exit status. An ignored signal would stay ignored in the agent.
trap : HUP INT QUIT TERM ALRM PIPE USR1 USR2

# "command -p" finds the standard tools even if the agent's PATH lacks them.
seal() {
  sum=$(printf '%s\\n' "$2" | command -p cksum) &&
    printf '%s %s\\n' "$2" "$sum" >"$dir/$1.tmp" &&
    command -p mv -f "$dir/$1.tmp" "$dir/$1"
}

twentieth() {
  shift 19
  printf '%s' "$1"
}

if [ -r "/proc/$$/stat" ]; then
  IFS= read -r stat <"/proc/$$/stat"
  start=$(twentieth \${stat##*) })
else
  start=$(LC_ALL=C TZ=UTC command -p ps -o lstart= -p "$$")
fi

seal pid "muster-pid 1 $run $hash $$ $start"
"$@"
code=$?
seal exit "muster-exit 1 $run $hash $code"
exit "$code"
`

/**
 * The arguments of `sh`. The agent can see the hash of the token in these arguments. This does no harm, because only a
 * process with access to the store can use the hash.
 */
export const wrapperArguments = (directory: RunDirectory, fence: Fence, argv: readonly string[]): string[] => [
  directory.wrapper,
  directory.path,
  fence.runId,
  fence.tokenHash,
  ...argv,
]

export function parseLeader(text: string, fence: Fence): GroupLeader | null {
  const found = /^(\d+) (.+)$/.exec(openSeal('muster-pid', text, fence) ?? '')
  if (found === null) return null
  const [, pid, startTime = ''] = found
  return { pid: Number(pid), startTime: startTime.trim() }
}

/** Returns the wrapper process of a run. Returns null until the wrapper has written its pid. */
export async function readLeader(directory: RunDirectory, fence: Fence): Promise<GroupLeader | null> {
  const text = await readIfExists(directory.pid)
  return text === null ? null : parseLeader(text, fence)
}
