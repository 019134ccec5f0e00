/** Parses the settings of a board from the command line. The schema in core lists the settings. */
import { expandTilde } from '../util/paths.ts'
import type { BoardSettings } from '../core/board.ts'
import type { SettingFault } from '../core/setting-text.ts'
import { badValue, filling, argumentList } from './flags.ts'
import { nearest } from '../util/nearest.ts'
import { settingName } from './render/board.ts'
import type { Arg, Flag } from './command.ts'

type SomeSettings = Partial<BoardSettings>

/** Arguments that are settings, such as `maxRunning=3 stale=30m reviewer=none`. */
export const settingArguments: Arg<SomeSettings> = {
  ...argumentList('key=value, with a key from muster boards show (stale=2h sets staleMs); key=default resets the key'),
  field: 'settings',
  completes: 'setting',
  read: async (given) => {
    const read = await Promise.all(
      given.map((pair) => {
        const [, key, typed] = /^([^=]+)=(.*)$/s.exec(pair) ?? []
        if (key === undefined || typed === undefined) throw badValue(`write ${pair} as key=value`)
        return readSetting(key.trim(), typed)
      }),
    )
    return Object.assign({}, ...read) as SomeSettings
  },
}

/** Makes a flag for one setting. */
const setting = (key: keyof BoardSettings, value: string, describe: string): Flag<SomeSettings> =>
  filling('settings', {
    value,
    describe,
    repeatable: false,
    read: (given) => readSetting(key, given.at(-1) ?? ''),
  })

export const settingFlags = {
  maxRunning: setting('maxRunning', '<n>', 'runs at a time on this board'),
  maxPerAgent: setting('maxPerAgent', '<n>', 'runs at a time per agent'),
  failureLimit: setting('failureLimit', '<n>', 'failures in a row before the card is blocked'),
  activeHours: setting('activeHours', '<hours>', 'when cards may start, e.g. 22:00-07:00'),
  defaultAssignee: { ...setting('defaultAssignee', '<agent>', 'agent for unassigned cards'), completes: 'agent' },
  reviewer: { ...setting('reviewer', '<agent>', 'agent that reviews cards'), completes: 'agent' },
  defaultDirectory: {
    ...setting(
      'defaultDirectory',
      '<path>',
      'directory for cards with the workspace dir or worktree that name no path',
    ),
    completes: 'file',
  },
} as const satisfies Record<string, Flag<SomeSettings>>

/** Merges the arguments and the flags of one command line. If both set the same setting, the flag has precedence. */
export const settingsOf = (
  given: SomeSettings | undefined,
  flags: { readonly [K in keyof typeof settingFlags]: SomeSettings | undefined },
): SomeSettings =>
  Object.keys(settingFlags).reduce<SomeSettings>(
    (all, key) => ({ ...all, ...flags[key as keyof typeof settingFlags] }),
    given ?? {},
  )

async function readSetting(given: string, typed: string): Promise<SomeSettings> {
  const { readSetting: read, SETTING_NAMES } = await import('../core/setting-text.ts')
  const key = SETTING_NAMES.find((name) => name === given) ?? SETTING_NAMES.find((name) => name === `${given}Ms`)
  if (key === undefined) {
    const meant = nearest(
      given,
      SETTING_NAMES.map((name) => settingName(name, SETTING_NAMES)),
    )
    throw badValue(
      `unknown setting ${given}; ${meant === null ? 'to list the settings: muster boards show' : `did you mean ${meant}?`}`,
    )
  }
  const found = read(key, key.endsWith('Directory') ? expandTilde(typed.trim()) : typed)
  if ('value' in found) return { [key]: found.value }
  throw badValue(faultText(key, found.fault))
}

function faultText(key: string, fault: SettingFault): string {
  switch (fault.is) {
    case 'whole':
      return `${key} must be a whole number${fault.least === null ? '' : `, ${fault.least} or more`}`
    case 'duration':
      return `${key.replace(/Ms$/, '')} must be a duration: 90 (seconds), 90s, 30m, 2h or 1d`
    case 'toggle':
      return `${key} must be on or off`
    case 'other':
      return `${key} ${fault.message}`
  }
}
