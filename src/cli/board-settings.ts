/** Parses the settings of a board from the command line. The schema in core lists the settings. */
import { expandTilde } from '../util/paths.ts'
import { parseDuration } from '../config/duration.ts'
import type { BoardSettings } from '../core/board.ts'
import { badValue, filling, argumentList } from './flags.ts'
import { nearest } from '../util/nearest.ts'
import { settingName } from './render/board.ts'
import type { Arg, Flag } from './command.ts'

type SomeSettings = Partial<BoardSettings>

/** Settings as arguments: `maxRunning=3 stale=30m reviewer=none`. */
export const settingArguments: Arg<SomeSettings> = {
  ...argumentList('key=value, as in muster boards show (Ms may be left out: stale=2h); key=default resets it'),
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
    ...setting('defaultDirectory', '<path>', 'directory for dir and worktree cards without a path'),
    completes: 'file',
  },
} as const satisfies Record<string, Flag<SomeSettings>>

/** Merges the arguments and the flags of one command line. If both set the same setting, the flag wins. */
export const settingsOf = (
  given: SomeSettings | undefined,
  flags: { readonly [K in keyof typeof settingFlags]: SomeSettings | undefined },
): SomeSettings =>
  Object.keys(settingFlags).reduce<SomeSettings>(
    (all, key) => ({ ...all, ...flags[key as keyof typeof settingFlags] }),
    given ?? {},
  )

async function readSetting(given: string, typed: string): Promise<SomeSettings> {
  const { DEFAULT_SETTINGS, boardSettingsSchema } = await import('../core/board.ts')
  const known = Object.keys(DEFAULT_SETTINGS)
  const key = known.find((name) => name === given) ?? known.find((name) => name === `${given}Ms`) ?? given
  if (!known.includes(key)) {
    const meant = nearest(
      key,
      known.map((name) => settingName(name, known)),
    )
    throw badValue(
      `unknown setting ${key}; ${meant === null ? 'to list the settings: muster boards show' : `did you mean ${meant}?`}`,
    )
  }
  const name = key as keyof BoardSettings
  const isChoice = typeof DEFAULT_SETTINGS[name] === 'string'
  if (isChoice && boardSettingsSchema.shape[name].safeParse(typed.trim()).success) return { [name]: typed.trim() }
  if (/^(none|default|)$/i.test(typed.trim())) return { [name]: DEFAULT_SETTINGS[name] }
  const field = boardSettingsSchema.shape[name]
  const isNumber = field.safeParse(1_000).success
  const isList = Array.isArray(DEFAULT_SETTINGS[name])
  const isToggle = typeof DEFAULT_SETTINGS[name] === 'boolean'
  const parsed = field.safeParse(valueOf(name, typed.trim(), { isNumber, isList, isToggle }))
  if (parsed.success) return { [name]: parsed.data }
  const issue = parsed.error.issues[0]
  if (isNumber)
    throw badValue(`${key} must be a whole number${issue?.code === 'too_small' ? `, ${issue.minimum} or more` : ''}`)
  if (isToggle) throw badValue(`${key} must be on or off`)
  throw badValue(`${key} ${issue?.message ?? 'is not valid'}`)
}

interface ValueType {
  readonly isNumber: boolean
  readonly isList: boolean
  readonly isToggle: boolean
}

const TOGGLES: Readonly<Record<string, boolean>> = {
  on: true,
  yes: true,
  true: true,
  off: false,
  no: false,
  false: false,
}

function valueOf(key: string, typed: string, { isNumber, isList, isToggle }: ValueType): unknown {
  if (isToggle) return TOGGLES[typed.toLowerCase()] ?? typed
  if (isList) return typed.split(',').map((part) => part.trim())
  if (key.endsWith('Directory')) return expandTilde(typed)
  if (!isNumber) return typed
  if (key.endsWith('Ms') && /^0[smhd]?$/.test(typed)) return 0
  if (!key.endsWith('Ms')) return /^\d+$/.test(typed) ? Number(typed) : NaN
  const ms = parseDuration(typed)
  if (ms === null) throw badValue(`${key.replace(/Ms$/, '')} must be a duration: 90 (seconds), 90s, 30m, 2h or 1d`)
  return ms
}
