import { chmodSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { endSessions } from '../../../src/supervisor/turns/end-sessions.ts'
import { runOf } from '../../helpers/sample.ts'
import { testFolder } from '../../helpers/stores.ts'

const fence = { runId: runOf('a'), tokenHash: 'f00d' }

/**
 * A tmux with four sessions: a dead session of this run, a live session of this run, a session of another run, and a
 * session without a run.
 */
const TMUX = `#!/bin/sh
echo "$*" >>"$(dirname "$0")/asked"
case "$1 $3" in
  'list-sessions '*) printf '$1\\n$2\\n$3\\n$4\\n' ;;
  'show-environment $1' | 'show-environment $2') echo 'MUSTER_RUN=${fence.runId}' ;;
  'show-environment $3') echo 'MUSTER_RUN=${runOf('b')}' ;;
  'show-environment $4') echo 'unknown variable: MUSTER_RUN' >&2; exit 1 ;;
  'list-panes '*) case "$4" in '$2') printf '1\\n0\\n' ;; *) printf '1\\n1\\n' ;; esac ;;
esac
`

test('only dead tmux sessions of the run are ended', async () => {
  const folder = testFolder()
  writeFileSync(join(folder, 'tmux'), TMUX)
  chmodSync(join(folder, 'tmux'), 0o755)
  await endSessions({ env: { PATH: `${folder}:/usr/bin:/bin` }, fence })
  const asked = readFileSync(join(folder, 'asked'), 'utf8').split('\n')
  expect(asked.filter((line) => line.startsWith('kill-session'))).toEqual(['kill-session -t $1'])
})

test('ending tmux sessions does nothing if tmux is not installed', async () => {
  await expect(endSessions({ env: { PATH: testFolder() }, fence })).resolves.toBeUndefined()
})
