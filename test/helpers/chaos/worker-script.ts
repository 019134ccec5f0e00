/**
 * The script that the cards of the chaos test run. Each worker first creates a file with its pid, which fails if the file
 * exists, and then checks whether another run of its card is still alive. The second of two overlapping workers sees the
 * first, so even a short overlap is noticed.
 *   <card>.<run>.start|.daemon   pid and start time · .fails  it will fail on purpose · .end  it reached its end
 *   fault.<run>                  a violation that the worker saw
 */
import type { Random } from '../random.ts'

export interface Plan {
  /** The duration of the work, in tenths of a second. */
  readonly work: number
  /** The number of attempts that fail before an attempt succeeds. */
  readonly failFirst: number
  /** The exit code of failing attempts. The code 75 is a rate limit. */
  readonly code: 3 | 75
  /** Whether the first attempt exceeds the card's maximum runtime. */
  readonly overtime: boolean
  readonly deaf: boolean
  /** Whether the worker leaves behind a process that runs in its own session. */
  readonly daemon: boolean
  /** The verdict that the worker reports through its supervisor. Null means that it reports no verdict. */
  readonly says: 'complete' | 'block' | null
}

/** The maximum runtime of a card. This is long enough for a short attempt on a busy machine. */
export const OVERTIME_MS = 5_000

export const makePlan = (random: Random): Plan => ({
  work: random.duration(1, 25),
  failFirst: random.chance(0.25) ? random.between(1, 2) : 0,
  code: random.chance(0.4) ? 75 : 3,
  overtime: random.chance(0.06),
  deaf: random.chance(0.15),
  daemon: random.chance(0.15),
  says: random.chance(0.12) ? (random.chance(0.6) ? 'complete' : 'block') : null,
})

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`
const flag = (value: boolean): string => (value ? 'yes' : 'no')

export const bodyOf = (plan: Plan, script: string): string =>
  [
    `exec sh ${quoted(script)} work`,
    `${plan.work} ${plan.failFirst} ${plan.code} ${flag(plan.overtime)} ${flag(plan.deaf)} ${flag(plan.daemon)}`,
    plan.says ?? 'no',
  ].join(' ')

export const workerScript = ({ stamps, program }: { stamps: string; program: readonly string[] }): string => `
stamps=${quoted(stamps)}
me=$stamps/$MUSTER_TASK.$MUSTER_RUN
self=$0

# Sets "born" to the start time of a process; fails if the process is dead.
born() {
  born=
  { IFS= read -r stat <"/proc/$1/stat"; } 2>/dev/null || return 1
  set -- \${stat##*) }
  case $1 in Z | X) return 1 ;; esac
  shift 19
  born=$1
}

# With noclobber (set -C), only one process can create the file.
stamp() {
  born $$
  set -C
  { echo "$$ $born" >"$1"; } 2>/dev/null || echo "$1 already exists" >>"$stamps/fault.$MUSTER_RUN"
  set +C
}

if [ "$1" = daemon ]; then
  stamp "$me.daemon"
  exec sleep 20
fi
shift
work=$1 fail_first=$2 code=$3 overtime=$4 deaf=$5 daemon=$6 says=$7

stamp "$me.start"
before=0
for other in "$stamps/$MUSTER_TASK".*.start "$stamps/$MUSTER_TASK".*.daemon; do
  case $other in "$me".* | *'*'*) continue ;; *.start) before=$((before + 1)) ;; esac
  read -r pid since <"$other" || continue
  if born "$pid" && [ "$born" = "$since" ]; then
    echo "$MUSTER_RUN runs beside \${other##*/} (pid $pid)" >>"$stamps/fault.$MUSTER_RUN"
  fi
done

[ "$deaf" = no ] || trap '' TERM
[ "$daemon" = no ] || setsid sh "$self" daemon &
if [ "$overtime" = yes ]; then
  [ "$before" -gt 0 ] && work=1 || work=100
fi
[ "$before" -ge "$fail_first" ] || echo "$code" >"$me.fails"
while [ "$work" -gt 0 ]; do
  sleep 0.1
  work=$((work - 1))
done
if [ -e "$me.fails" ]; then
  echo "failing on purpose"
  exit "$code"
fi
: >"$me.end"
case $says in
  complete) ${program.map(quoted).join(' ')} complete "$MUSTER_TASK" --summary 'said by the worker' ;;
  block) [ "$before" -gt 0 ] || ${program.map(quoted).join(' ')} block "$MUSTER_TASK" 'a question' ;;
esac
echo "done after $before others"
exit 0
`
