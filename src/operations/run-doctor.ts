import { stat } from 'node:fs/promises'
import type { Finding } from '../storage/store.ts'
import { faultText } from '../workers/front-matter.ts'
import { readRoster } from '../workers/roster.ts'
import { defineOperation } from './operation.ts'

export const runDoctor = defineOperation({
  name: 'doctor',
  kind: 'local',
  actor: 'person',
  scope: 'machine',
  summary: 'Check the store and the home; with fix, mend what can be mended.',
  schemas: () => import('./run-doctor.schema.ts'),
  run: async ({ options, openStore }, { fix }) => {
    const store = await openStore(fix ? 'write' : 'read')
    try {
      return [...(await store.doctor({ fix })), ...(await examineHome(options.home))]
    } finally {
      await store.close()
    }
  },
})

async function examineHome(home: string): Promise<readonly Finding[]> {
  const { broken, unreadable } = await readRoster(home)
  const faults = [...broken.values()].flatMap((one) => one.faults.map((fault) => faultText(one.file, fault)))
  const agents = [
    ...(unreadable === null ? [] : [finding('agent_folder', `${unreadable}: no agent of yours works until it can.`)]),
    ...faults.map((fault) => finding('agent_file', `Agent file ${fault}.`)),
  ]
  const mode = (await stat(home).catch(() => null))?.mode ?? 0o700
  if ((mode & 0o077) === 0) return agents
  return [finding('home_open', `Other users can look into ${home}: chmod 700 ${home}.`), ...agents]
}

const finding = (rule: string, message: string): Finding => ({ rule, board: null, id: null, message, fixed: false })
