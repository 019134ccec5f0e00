import { stat } from 'node:fs/promises'
import { SKIP_REASONS } from '../../core/vocabulary.ts'
import type { Finding, Store } from '../../storage/store.ts'
import { faultText } from '../../agents/front-matter.ts'
import { readRoster } from '../../agents/roster.ts'
import { thisHost } from '../../processes/identity.ts'
import { findDispatchers, hungText } from './dispatcher-state.ts'
import { hasLostSupervisor, machineTrouble } from './machine-trouble.ts'
import type { MachineTrouble } from './machine-trouble.ts'
import { examineAttachments } from '../attachments/examine-attachments.ts'
import { readAround, viewSeries } from '../series/view-series.ts'
import { defineOperation } from '../shared/operation.ts'
import type { BoardContext } from '../shared/operation.ts'
import { shellWord } from '../../util/shell-word.ts'

export const runDoctor = defineOperation({
  name: 'doctor',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Check the store and the data folder.',
  schemas: ({ z, findings }) => ({
    input: z.object({ fix: z.boolean().default(false) }),
    output: findings,
  }),
  run: async ({ options, openStore, signal, onProgress }, { fix }) => {
    const store = await openStore(fix ? 'write' : 'read')
    try {
      const { home } = options
      const rows = await store.doctor({ fix })
      // Whether the store is intact. The rows of a damaged store cannot be compared with files.
      const isSound = rows.every(({ rule }) => rule !== 'integrity')
      return [
        ...rows,
        ...(isSound ? await examineAttachments({ store, home, signal, onProgress }) : []),
        ...(await examineProcesses(store, home)),
        ...(await examineSeries({ store, options })),
        ...(await examineHome(home)),
      ]
    } finally {
      await store.close()
    }
  },
})

/** Reports series that create no cards, or whose cards cannot start. A paused series is not a problem. */
async function examineSeries(context: Pick<BoardContext, 'store' | 'options'>): Promise<readonly Finding[]> {
  const all = await context.store.series(null)
  if (all.length === 0) return []
  const around = await readAround(context, all)
  return all
    .filter(({ pausedAt }) => pausedAt === null)
    .flatMap((series) =>
      viewSeries(series, around)
        .problems.filter(({ code }) => !AS_ASKED.has(code))
        .map(({ message }) => ({
          ...finding('series', `Series ${series.id} (${series.card.title}): ${message}`),
          board: series.board,
          id: series.id,
        })),
    )
}

/** A skipped time is not a problem: `--skip-if-running` or the pause of a board causes it on purpose. */
const AS_ASKED: ReadonlySet<string> = new Set(SKIP_REASONS)

/**
 * Reports a full disk, a dispatcher that hangs, and runs of this machine whose supervisor has died. A dispatcher on
 * another machine cannot fix these problems.
 */
async function examineProcesses(store: Store, home: string): Promise<readonly Finding[]> {
  const host = thisHost()
  const { own } = await findDispatchers(store, host)
  const trouble = await machineTrouble(home, own)
  const look = { store, host, home, now: await store.now() }
  const lost =
    own.is === 'active' ? [] : (await store.openRuns(host.machine.id)).filter((run) => hasLostSupervisor(run, look))
  return [
    ...trouble.map((found) => finding(found.code, troubleText(found))),
    ...lost.map(({ board, taskId, id }) => ({
      ...finding('supervisor_lost', `Run ${id} of ${taskId} has lost its supervisor. To recover the run: muster up`),
      board,
      id: taskId,
    })),
  ]
}

function troubleText({ code, params }: MachineTrouble): string {
  switch (code) {
    case 'dispatcher_hung':
      return hungText(params)
    case 'disk_full':
      return `The disk that holds ${params.folder} is full: free some space.`
  }
}

async function examineHome(home: string): Promise<readonly Finding[]> {
  const { broken, unreadable } = await readRoster(home)
  const faults = [...broken.values()].flatMap((one) => one.faults.map((fault) => faultText(one.file, fault)))
  const agents = [
    ...(unreadable === null
      ? []
      : [finding('agent_folder', `${unreadable}, so your agents cannot run. Make the folder readable.`)]),
    ...faults.map((fault) => finding('agent_file', `Agent file ${fault}.`)),
  ]
  const mode = (await stat(home).catch(() => null))?.mode ?? 0o700
  if ((mode & 0o077) === 0) return agents
  return [finding('home_open', `Other users can read ${home}. Run: chmod 700 ${shellWord(home)}`), ...agents]
}

const finding = (rule: string, message: string): Finding => ({ rule, board: null, id: null, message, fixed: false })
