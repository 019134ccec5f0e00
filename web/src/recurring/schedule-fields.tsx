/** The schedule of a series, with what it means and its next times. */
import { useNow } from '../app-state/use-now.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import { Field, TextField } from '../ui/field.tsx'
import { Combobox } from '../ui/select.tsx'
import { Switch } from '../ui/switch.tsx'
import { seriesMessages } from './messages.ts'
import { formatSlot, timesAfter } from './next-times.ts'
import css from './recurring.module.css'
import { scheduleWords } from './schedule-words.ts'
import type { SeriesDraft } from './series-draft.ts'

/** Common schedules. */
const EXAMPLES = ['weekdays 09:00', 'daily 7:30', 'every 2h', 'mondays 9:00', '0 7 1 * *'] as const
const SHOWN = 3

/** All time zones that the browser knows, and UTC, which some browsers leave out. */
const zones = (): readonly string[] => [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

interface Props {
  readonly draft: SeriesDraft
  readonly errorOf: (name: keyof SeriesDraft) => string | null
  readonly onChange: (part: Partial<SeriesDraft>) => void
}

export function ScheduleFields({ draft, errorOf, onChange }: Props) {
  const t = useMessages(seriesMessages)
  const { schedule, timeZone, skipIfRunning } = draft
  const known = zones()
  return (
    <>
      <div className={css.two}>
        <div className={css.scheduleField}>
          <TextField
            label={t('schedule')}
            error={errorOf('schedule')}
            placeholder="weekdays 09:00"
            spellCheck={false}
            value={schedule}
            onChange={(event) => onChange({ schedule: event.target.value })}
          />
          <Examples current={schedule} onChoose={(example) => onChange({ schedule: example })} />
        </div>
        <Field label={t('timeZone')} error={errorOf('timeZone')}>
          {(control) => (
            <Combobox
              {...control}
              label={t('timeZone')}
              value={timeZone}
              options={(known.includes(timeZone) ? known : [timeZone, ...known]).map((zone) => ({
                value: zone,
                label: zone,
              }))}
              onChange={(zone) => onChange({ timeZone: zone })}
            />
          )}
        </Field>
      </div>
      <Preview draft={draft} />
      <Switch isOn={skipIfRunning} onChange={(isOn) => onChange({ skipIfRunning: isOn })}>
        {t('skipIfRunning')}
      </Switch>
    </>
  )
}

function Examples({ current, onChoose }: { readonly current: string; readonly onChoose: (example: string) => void }) {
  const language = useLanguage()
  return (
    <div className={css.examples}>
      {EXAMPLES.map((example) => (
        <button
          key={example}
          type="button"
          className={css.example}
          aria-pressed={current.trim() === example}
          onClick={() => onChoose(example)}
        >
          {scheduleWords(example, language)}
        </button>
      ))}
    </div>
  )
}

/** Explains the typed schedule. While the text is not a valid schedule, nothing is shown. */
function Preview({ draft: { schedule, timeZone } }: Pick<Props, 'draft'>) {
  const t = useMessages(seriesMessages)
  const language = useLanguage()
  const now = useNow()
  const times = timesAfter({ schedule, timeZone }, now, SHOWN)
  return (
    <p className={css.preview} aria-live="polite">
      {times.length === 0 ? (
        t('previewNone')
      ) : (
        <>
          <b className={css.strong}>{scheduleWords(schedule, language)}</b>
          {'. '}
          {t('previewNext', { times: times.map((at) => formatSlot(language, at, timeZone)).join(' · ') })}
        </>
      )}
    </p>
  )
}
