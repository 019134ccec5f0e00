/** The settings of a card in a template. They are the fields of `create`, written as text. */
import { CREATE_FIELDS, cardField } from '../core/card-fields.ts'
import type { CreateField } from '../core/card-fields.ts'
import { parseDuration } from '../core/duration.ts'
import { parseWorkspace } from '../core/input/workspace-text.ts'
import { parseMoment } from '../config/moment.ts'

/** A template sets no idempotency key per card: the whole graph has one key. */
const LEFT_OUT: readonly CreateField[] = ['idempotencyKey']

/** The fields whose setting has another name. */
const NAMES: Readonly<Partial<Record<CreateField, string>>> = {
  maxRuntimeMs: 'maxRuntime',
  scheduledAt: 'at',
  held: 'hold',
}

const FLAGS = ['triage', 'blocked'] as const

type Kind = NonNullable<ReturnType<typeof cardField>['flag']>['kind']

interface SettingKind {
  readonly field: string
  readonly kind: Kind
}

export const SETTINGS: ReadonlyMap<string, SettingKind> = new Map([
  ...CREATE_FIELDS.filter((name) => !LEFT_OUT.includes(name)).map((name): [string, SettingKind] => [
    NAMES[name] ?? name,
    { field: name, kind: cardField(name).flag?.kind ?? 'text' },
  ]),
  ...FLAGS.map((name): [string, SettingKind] => [name, { field: name, kind: 'toggle' }]),
])

export const isListSetting = (key: string): boolean => {
  const kind = SETTINGS.get(key)?.kind
  return kind === 'list' || kind === 'skills'
}

const NONE = /^(none|null|~|)$/i

/** Reads the value of a setting. The card schema validates it later. */
export function readSetting(
  kind: Kind,
  text: string,
  now: number,
): { readonly value: unknown } | { readonly fault: string } {
  const typed = text.trim()
  switch (kind) {
    case 'text':
    case 'long_text':
    case 'list':
    case 'skills':
      return { value: text }
    case 'agent':
    case 'agent_or_none':
      return { value: NONE.test(typed) ? null : typed.toLowerCase() }
    case 'whole':
      return /^-?\d{1,15}$/.test(typed) ? { value: Number(typed) } : { fault: 'must be a whole number' }
    case 'toggle':
      return typed === 'true' || typed === 'false' ? { value: typed === 'true' } : { fault: 'must be true or false' }
    case 'duration':
      return orFault(parseDuration(typed), 'must be a duration such as 30m or 2h')
    case 'moment':
      return orFault(parseMoment(typed, now), 'must be a time such as 2026-11-30T09:00, tomorrow 9:00 or +2h')
    case 'workspace':
      return orFault(
        parseWorkspace(typed),
        'must be scratch, dir:/absolute/path, worktree or worktree:/path/of/repository',
      )
  }
}

const orFault = (value: unknown, fault: string): { readonly value: unknown } | { readonly fault: string } =>
  value === null ? { fault } : { value }
