/**
 * A small `sh` process beside the wrapper, for stores that machines share. If the supervisor's beat stops for most of a
 * lease, because it was killed or stopped, the watchdog ends the agent before another machine may take the card. It counts
 * its checks, not the clock, so a clock change ends nothing.
 */
import type { Fence } from '../core/run.ts'
import type { RunDirectory } from './files/run-directory.ts'

/** How often it checks within the allowed silence; the last check acts. */
const LOOKS = 18

export const WATCHDOG = `#!/bin/sh
# watchdog.sh <run directory> <run id> <looks without a beat> <seconds between two> <seconds of grace>
dir=$1 run=$2 patience=$3 every=$4 grace=$5
last= same=0

while [ "$same" -lt "$patience" ]; do
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

# The wrapper, unless another process has its pid by now: then no process of that group is ours.
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
# Marks that the agent did not exit by itself.
: >"$dir/cut-off"
# The wrapper first, so that it writes no exit status.
[ -z "$leader" ] || kill -s KILL "$leader"
for pid in $found; do kill -s TERM "$pid"; kill -s CONT "$pid"; done 2>/dev/null
command -p sleep "$grace"
for pid in $(members 2>/dev/null); do kill -s KILL "$pid"; done 2>/dev/null
for pid in $(members 2>/dev/null); do kill -s KILL "$pid"; done 2>/dev/null
exit 0
`

export interface Silence {
  /** How long the beat may be missing. */
  readonly cutOffMs: number
  readonly terminateGraceMs: number
}

export const watchdogArguments = (
  directory: RunDirectory,
  { runId }: Fence,
  { cutOffMs, terminateGraceMs }: Silence,
): string[] => [
  directory.watchdog,
  directory.path,
  runId,
  // A beat may come right after a check, so one check less keeps within the time.
  String(LOOKS - 1),
  seconds(cutOffMs / LOOKS),
  seconds(terminateGraceMs),
]

const seconds = (ms: number): string => (Math.max(1, ms) / 1000).toFixed(3)
