/**
 * A small `sh` process that watches the supervisor, for stores that several machines share. If a killed or stopped
 * supervisor sends no beat for most of a lease, the watchdog ends the agent before another machine may claim the card.
 * The watchdog counts its polls instead of reading the clock, so a clock change ends no agent.
 */
import type { Fence } from '../core/run.ts'
import type { RunDirectory } from './files/run-directory.ts'

/** The number of polls in the time that the supervisor may be silent. */
const POLLS = 18

export const WATCHDOG = `#!/bin/sh
# watchdog.sh <run directory> <run id> <polls without a beat> <seconds between polls> <seconds of grace>
dir=$1 run=$2 limit=$3 every=$4 grace=$5
last= same=0

while [ "$same" -lt "$limit" ]; do
  command -p sleep "$every"
  beat=
  IFS= read -r beat <"$dir/beat"
  if [ "$beat" = "$last" ]; then same=$((same + 1)); else same=0 last=$beat; fi
done 2>/dev/null

twentieth() {
  shift 19
  printf '%s' "$1"
}

start_of() {
  if [ -r "/proc/$1/stat" ]; then
    IFS= read -r stat <"/proc/$1/stat"
    twentieth \${stat##*) }
  else
    LC_ALL=C TZ=UTC command -p ps -o lstart= -p "$1"
  fi
}

# The wrapper's pid. If another process has it by now, no process of that group belongs to the run.
leader= rest=
read -r _ _ _ _ leader rest <"$dir/pid"
now=$(start_of "\${leader:-0}")
now=\${now%"\${now##*[! ]}"}
[ -z "$now" ] || [ "$now" = "\${rest% * *}" ] || leader=

members() {
  if [ -d /proc/self ]; then
    command -p grep -l "MUSTER_RUN=$run" /proc/[0-9]*/environ | while IFS=/ read -r _ _ pid _; do echo "$pid"; done
    [ -z "$leader" ] || for path in /proc/[0-9]*/stat; do
      IFS= read -r line <"$path" || continue
      set -- \${line%% *} \${line##*) }
      case $2 in Z | X) continue ;; esac
      if [ "$4" = "$leader" ] || [ "$5" = "$leader" ]; then echo "$1"; fi
    done
  elif [ -n "$leader" ]; then
    command -p ps -A -o pid= -o pgid= -o stat= | while read -r pid group state; do
      case $group$state in "$leader"Z*) ;; "$leader"[!0-9]*) echo "$pid" ;; esac
    done
  fi
}

found=$(members 2>/dev/null)
[ -n "$found" ] || exit 0
# Marks that the agent did not exit on its own.
: >"$dir/cut-off"
# Kills the wrapper first, so that it writes no exit status.
[ -z "$leader" ] || kill -s KILL "$leader"
for pid in $found; do kill -s TERM "$pid"; kill -s CONT "$pid"; done 2>/dev/null
command -p sleep "$grace"
for pid in $(members 2>/dev/null); do kill -s KILL "$pid"; done 2>/dev/null
for pid in $(members 2>/dev/null); do kill -s KILL "$pid"; done 2>/dev/null
exit 0
`

export interface SilenceLimits {
  /** How long the supervisor may be silent before the watchdog ends the agent. */
  readonly cutOffMs: number
  readonly terminateGraceMs: number
}

export const watchdogArguments = (
  directory: RunDirectory,
  { runId }: Fence,
  { cutOffMs, terminateGraceMs }: SilenceLimits,
): string[] => [
  directory.watchdog,
  directory.path,
  runId,
  // The watchdog may notice a beat one whole poll late. So the watchdog counts one poll less to stay within the limit.
  String(POLLS - 1),
  seconds(cutOffMs / POLLS),
  seconds(terminateGraceMs),
]

const seconds = (ms: number): string => (Math.max(1, ms) / 1000).toFixed(3)
