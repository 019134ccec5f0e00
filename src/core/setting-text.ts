/** Reads a setting of a board from a text that a person typed. The command line and the dashboard both use it. */
import { boardSettingsSchema, DEFAULT_SETTINGS } from './board.ts'
import type { BoardSettings } from './board.ts'
import { parseDuration } from './duration.ts'

export type SettingName = keyof BoardSettings

export const SETTING_NAMES = Object.keys(DEFAULT_SETTINGS) as readonly SettingName[]

/** How a person types the value. A list is typed with commas between its items. */
export type SettingKind = 'whole' | 'duration' | 'list' | 'toggle' | 'choice' | 'text'

export function kindOfSetting(name: SettingName): SettingKind {
  const standard = DEFAULT_SETTINGS[name]
  if (Array.isArray(standard)) return 'list'
  if (typeof standard === 'boolean') return 'toggle'
  if (typeof standard === 'string') return 'choice'
  if (!boardSettingsSchema.shape[name].safeParse(1_000).success) return 'text'
  return name.endsWith('Ms') ? 'duration' : 'whole'
}

/** Why a text is not a valid value of the setting. */
export type SettingFault =
  /** `least` is the smallest allowed number, if the given number is too small. Otherwise it is null. */
  | { readonly is: 'whole'; readonly least: number | null }
  | { readonly is: 'duration' }
  | { readonly is: 'toggle' }
  /** `message` is the sentence of the schema without its subject. */
  | { readonly is: 'other'; readonly message: string }

export type ReadSetting = { readonly value: unknown } | { readonly fault: SettingFault }

/** Parses the value of a setting. An empty text, `none` or `default` gives the default value. */
export function readSetting(name: SettingName, text: string): ReadSetting {
  const typed = text.trim()
  const kind = kindOfSetting(name)
  const field = boardSettingsSchema.shape[name]
  // For some settings, `none` is also one of the valid values.
  if (kind === 'choice' && field.safeParse(typed).success) return { value: typed }
  if (/^(none|default|)$/i.test(typed)) return { value: DEFAULT_SETTINGS[name] }
  const value = valueOf(kind, typed)
  if (kind === 'duration' && value === null) return { fault: { is: 'duration' } }
  const parsed = field.safeParse(value)
  if (parsed.success) return { value: parsed.data }
  const issue = parsed.error.issues[0]
  if (kind === 'whole' || kind === 'duration')
    return { fault: { is: 'whole', least: issue?.code === 'too_small' ? Number(issue.minimum) : null } }
  if (kind === 'toggle') return { fault: { is: 'toggle' } }
  return { fault: { is: 'other', message: issue?.message ?? 'is not valid' } }
}

const TOGGLES: Readonly<Record<string, boolean>> = {
  on: true,
  yes: true,
  true: true,
  off: false,
  no: false,
  false: false,
}

function valueOf(kind: SettingKind, typed: string): unknown {
  if (kind === 'toggle') return TOGGLES[typed.toLowerCase()] ?? typed
  if (kind === 'list') return typed.split(',').map((part) => part.trim())
  if (kind === 'whole') return /^\d+$/.test(typed) ? Number(typed) : NaN
  if (kind === 'duration') return /^0[smhd]?$/.test(typed) ? 0 : parseDuration(typed)
  return typed
}
