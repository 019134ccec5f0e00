/** Shows one setting: its name, its description, its control, and the button that restores the default. */
import { RotateCcw, TriangleAlert } from 'lucide-react'
import { kindOfSetting } from '../../../../src/core/setting-text.ts'
import type { SettingName } from '../../../../src/core/setting-text.ts'
import { AgentSelect } from '../../cards/agent-select.tsx'
import { useMessages } from '../../i18n/use-messages.tsx'
import { IconButton } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Input } from '../../ui/field.tsx'
import { Select } from '../../ui/select.tsx'
import settings from '../settings.module.css'
import css from './boards.module.css'
import { boardsMessages } from './messages.ts'
import { defaultText, typedSetting } from './setting-draft.ts'
import type { Saved } from './setting-draft.ts'
import { settingHints, settingNames } from './setting-messages.ts'

interface Props {
  readonly name: SettingName
  readonly saved: Saved[SettingName]
  /** The text that the person typed. Null means that the person has not changed the setting. */
  readonly typed: string | null
  readonly error: string | null
  readonly isReadOnly: boolean
  /** Null means the saved value. */
  readonly onChange: (text: string | null) => void
}

export const settingId = (name: string): string => `setting-${name}`

export function SettingField({ name, saved, typed, error, isReadOnly, onChange }: Props) {
  const t = useMessages(boardsMessages)
  const tName = useMessages(settingNames)
  const tHint = useMessages(settingHints)
  const id = settingId(name)
  const before = typedSetting(name, saved)
  const text = typed ?? before
  const standard = defaultText(name)
  const change = (next: string): void => onChange(next === before ? null : next)
  return (
    <div className={classNames(settings.row, typed !== null && css.changed)}>
      <div className={settings.rowText}>
        <label htmlFor={id} className={css.label}>
          {tName(name)}
        </label>
        <span id={`${id}-hint`} className={settings.note}>
          {tHint(name)} <DefaultText name={name} />
        </span>
        {error !== null && (
          <span id={`${id}-error`} className={settings.error} role="alert">
            <TriangleAlert />
            {error}
          </span>
        )}
      </div>
      <div className={css.field}>
        <Control
          id={id}
          name={name}
          label={tName(name)}
          text={text}
          isReadOnly={isReadOnly}
          hasError={error !== null}
          onChange={change}
        />
        <IconButton
          size="small"
          className={classNames(text === standard && css.hidden)}
          icon={<RotateCcw />}
          label={t('reset', { name: tName(name) })}
          onClick={() => change(standard)}
          aria-hidden={text === standard || undefined}
          tabIndex={text === standard ? -1 : 0}
        />
      </div>
    </div>
  )
}

function DefaultText({ name }: { readonly name: SettingName }) {
  const t = useMessages(boardsMessages)
  const text = defaultText(name)
  const kind = kindOfSetting(name)
  const value =
    kind === 'toggle'
      ? t(text === 'on' ? 'on' : 'off')
      : kind === 'choice'
        ? t(choicesOf(name)[text] ?? 'none')
        : text === ''
          ? t('none')
          : text
  return <span className={css.default}>{t('default', { value })}</span>
}

interface ControlProps {
  readonly id: string
  readonly name: SettingName
  readonly label: string
  readonly text: string
  readonly isReadOnly: boolean
  readonly hasError: boolean
  readonly onChange: (text: string) => void
}

type ChoiceName = 'commitBoard' | 'commitAgent' | 'commitNone' | 'mentionOffer' | 'mentionCreate' | 'mentionNone'
type Choices = Readonly<Record<string, ChoiceName>>

/** The values of the settings with a choice, with their names. */
const CHOICES: { readonly [K in SettingName]?: Choices } = {
  commit: { board: 'commitBoard', agent: 'commitAgent', none: 'commitNone' },
  mentions: { offer: 'mentionOffer', create: 'mentionCreate', none: 'mentionNone' },
}
const choicesOf = (name: SettingName): Choices => CHOICES[name] ?? {}

function Control({ id, name, label, text, isReadOnly, hasError, onChange }: ControlProps) {
  const t = useMessages(boardsMessages)
  const kind = kindOfSetting(name)
  const described = { 'aria-describedby': hasError ? `${id}-error ${id}-hint` : `${id}-hint` }
  if (kind === 'toggle')
    return (
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={text === 'on'}
        className={css.toggle}
        checked={text === 'on'}
        disabled={isReadOnly}
        onChange={({ target }) => onChange(target.checked ? 'on' : 'off')}
        {...described}
      />
    )
  if (isReadOnly) return <Input id={id} className={css.text} value={text} disabled readOnly {...described} />
  if (name === 'defaultAssignee' || name === 'reviewer')
    return (
      <div className={css.text}>
        <AgentSelect
          id={id}
          label={label}
          value={text}
          onChange={onChange}
          none={{ label: t('noAgent') }}
          {...described}
        />
      </div>
    )
  if (kind === 'choice')
    return (
      <div className={css.text}>
        <Select
          id={id}
          label={label}
          value={text}
          onChange={onChange}
          options={Object.entries(choicesOf(name)).map(([value, key]) => ({ value, label: t(key) }))}
          {...described}
        />
      </div>
    )
  const isShort = kind === 'whole' || kind === 'duration'
  return (
    <Input
      id={id}
      className={classNames(isShort ? css.short : css.text)}
      inputMode={kind === 'whole' ? 'numeric' : 'text'}
      value={text}
      placeholder={kind === 'whole' ? t('none') : ''}
      spellCheck={false}
      aria-invalid={hasError || undefined}
      onChange={({ target }) => onChange(target.value)}
      {...described}
    />
  )
}
