/** The text in the fields of a board's settings, and the resulting changes. */
import { DEFAULT_SETTINGS } from '../../../../src/core/board.ts'
import type { BoardSettings } from '../../../../src/core/board.ts'
import type { BoardSummary } from '../../api/queries.ts'
import { durationText } from '../../../../src/core/duration.ts'
import { kindOfSetting, readSetting } from '../../../../src/core/setting-text.ts'
import type { SettingFault, SettingName } from '../../../../src/core/setting-text.ts'

/** The settings as the API sends them. */
export type Saved = BoardSummary['settings']

/** The text in the changed fields. */
export type SettingDraft = Readonly<Partial<Record<SettingName, string>>>

/** Returns the value as a person would type it. Empty text means no value. */
export function typedSetting(name: SettingName, value: Saved[SettingName]): string {
  if (value === null) return ''
  if (kindOfSetting(name) === 'duration') return value === 0 ? '0' : durationText(Number(value))
  if (kindOfSetting(name) === 'toggle') return value === true ? 'on' : 'off'
  return Array.isArray(value) ? value.join(', ') : String(value)
}

export const defaultText = (name: SettingName): string => typedSetting(name, DEFAULT_SETTINGS[name])

/** Whether the text means an empty list, and not a list with one empty item. */
const isEmptyList = (name: SettingName, text: string): boolean => kindOfSetting(name) === 'list' && text.trim() === ''

const read = (name: SettingName, text: string): ReturnType<typeof readSetting> =>
  isEmptyList(name, text) ? { value: [] } : readSetting(name, text)

interface Changes {
  readonly settings: Partial<BoardSettings>
  readonly faults: Readonly<Partial<Record<SettingName, SettingFault>>>
  /** The number of changed settings, including those that are not valid. */
  readonly count: number
}

export function changesOf(saved: Saved, draft: SettingDraft): Changes {
  const settings: Record<string, unknown> = {}
  const faults: Partial<Record<SettingName, SettingFault>> = {}
  for (const [key, text] of Object.entries(draft)) {
    // The cast is safe, because the keys of a draft are names of settings.
    const name = key as SettingName
    const found = read(name, text)
    if ('fault' in found) faults[name] = found.fault
    else if (JSON.stringify(found.value) !== JSON.stringify(saved[name])) settings[name] = found.value
  }
  return {
    settings,
    faults,
    count: Object.keys(settings).length + Object.keys(faults).length,
  }
}

/** Returns the setting whose value the server refused, according to the field in the error. */
export function refusedSetting(details: Readonly<Record<string, unknown>>): SettingName | null {
  const { field } = details
  if (typeof field !== 'string') return null
  const [name = ''] = field.split('.')
  return Object.hasOwn(DEFAULT_SETTINGS, name) ? (name as SettingName) : null
}
