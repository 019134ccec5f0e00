/** What OpenCode is told of its permissions, whichever way it is started. */
import type { Job } from '../harness.ts'
import { foldersOutside } from '../skills/skill-folders.ts'

/** Denied, and nothing asked: nobody is there, and a question that is refused ends the turn. */
const HELD = { edit: 'deny', bash: 'deny', external_directory: 'deny', doom_loop: 'deny' } as const
const PERMISSIONS = {
  read: HELD,
  ask: HELD,
  edit: { ...HELD, edit: 'allow' },
  full: { edit: 'allow', bash: 'allow', webfetch: 'allow', external_directory: 'allow', doom_loop: 'allow' },
} as const

/** As its configuration, which comes on top of the user's own. */
export const opencodeRules = (job: Job) => ({
  autoupdate: false,
  share: 'disabled',
  permission: permissionsOf(job),
})

/** It may read the skills that lie outside its workspace, and not change them. */
function permissionsOf(job: Job): object {
  const held = PERMISSIONS[job.agent.permissions]
  const folders = foldersOutside(job)
  if (folders.length === 0 || job.agent.permissions === 'full') return held
  const inside = (pattern: (folder: string) => string, action: 'allow' | 'deny') =>
    Object.fromEntries(folders.map((folder) => [pattern(folder), action]))
  return {
    ...held,
    external_directory: { '*': held.external_directory, ...inside((folder) => `${folder}/*`, 'allow') },
    // What is edited it calls by its path from the top of the workspace, which leads out of there.
    edit: { '*': held.edit, ...inside((folder) => `*${folder.split('/').slice(-3).join('/')}/*`, 'deny') },
  }
}
