/** What OpenCode is told of its permissions, whichever way it is started. */
import type { Permissions } from '../agent-fields.ts'

/** Denied, and nothing asked: nobody is there, and a question that is refused ends the turn. */
const HELD = { edit: 'deny', bash: 'deny', external_directory: 'deny', doom_loop: 'deny' } as const
const PERMISSIONS = {
  read: HELD,
  ask: HELD,
  edit: { ...HELD, edit: 'allow' },
  full: { edit: 'allow', bash: 'allow', webfetch: 'allow', external_directory: 'allow', doom_loop: 'allow' },
} as const

/** As its configuration, which comes on top of the user's own. */
export const opencodeRules = (permissions: Permissions) => ({
  autoupdate: false,
  share: 'disabled',
  permission: PERMISSIONS[permissions],
})
