import { stat } from 'node:fs/promises'
import type { Finding, Store } from '../../storage/store.ts'
import { faultText } from '../../agents/front-matter.ts'
import { readRoster } from '../../agents/roster.ts'
import { thisHost } from '../../processes/identity.ts'
import { findDispatchers, hungText } from './dispatcher-state.ts'
import { hasLostSupervisor, machineTrouble } from './machine-trouble.ts'
import type { MachineTrouble } from './machine-trouble.ts'
import { examineAttachments } from '../attachments/examine-attachments.ts'
import { defineOperation } from '../shared/operation.ts'
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
      // The rows of a damaged store cannot be compared with files.
      const isSound = rows.every(({ rule }) => rule !== 'integrity')
      return [
        ...rows,
        ...(isSound ? await examineAttachments({ store, home, signal, onProgress }) : []),
        ...(await examineProcesses(store, home)),
        ...(await examineHome(home)),
      ]
    } finally {
      await store.close()
    }
  },
})

/**
 * Reports a full disk, a dispatcher that hangs, and runs of this machine whose supervisor is gone. A dispatcher on another
 * machine cannot help with these.
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
      ...finding('supervisor_lost', `Run ${id} of ${taskId} has lost its supervisor. To recover it: muster up`),
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
