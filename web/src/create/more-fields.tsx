/** The fields that few cards need. */
import { useQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { DEFAULT_TURNS } from '../../../src/core/vocabulary.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Combobox, Select } from '../ui/select.tsx'
import { Token, TokenInput, TokenList } from '../ui/tokens.tsx'
import css from './create.module.css'
import { GOALS, SKILL_SOURCES, STARTS } from './draft.ts'
import { FormField, TextFormField } from './form-field.tsx'
import { createMessages } from './messages.ts'
import { skillsQuery } from './queries.ts'
import type { CreateForm } from './use-create-form.ts'

interface Props {
  readonly form: CreateForm
  readonly isOpen: boolean
  readonly onToggle: () => void
}

export function MoreFields({ form, isOpen, onToggle }: Props) {
  const t = useMessages(createMessages)
  return (
    <section className={css.more}>
      <button type="button" className={css.fold} aria-expanded={isOpen} onClick={onToggle}>
        <ChevronRight className={css.chevron} />
        {t('more')}
        {!isOpen && <span className={css.names}>{t('moreNames')}</span>}
      </button>
      {isOpen && <Fields form={form} />}
    </section>
  )
}

function Fields({ form }: Pick<Props, 'form'>) {
  const t = useMessages(createMessages)
  const retries = form.settings?.failureLimit
  return (
    <>
      <div className={css.two}>
        <StartField form={form} />
        {form.draft.start === 'at' && (
          <TextFormField form={form} name="startAt" label={t('startAt')} type="datetime-local" />
        )}
        <TextFormField
          form={form}
          name="priority"
          label={t('priority')}
          remark={t('priorityRemark')}
          placeholder="0"
          inputMode="numeric"
        />
      </div>
      <FormField form={form} name="labels" label={t('labels')}>
        {(control) => (
          <TokenInput
            {...control}
            placeholder={t('labelsPlaceholder')}
            values={form.draft.labels}
            onChange={(labels) => form.set('labels', labels)}
          />
        )}
      </FormField>
      <GoalFields form={form} />
      <div className={css.two}>
        <TextFormField form={form} name="maxRuntime" label={t('maxRuntime')} remark={t('maxRuntimeRemark')} />
        <TextFormField
          form={form}
          name="maxRetries"
          label={t('maxRetries')}
          inputMode="numeric"
          {...(retries === undefined
            ? {}
            : { remark: t('maxRetriesRemark', { n: retries }), placeholder: String(retries) })}
        />
      </div>
      <SkillsField form={form} />
      <div className={css.three}>
        {(['model', 'provider', 'effort'] as const).map((name) => (
          <TextFormField key={name} form={form} name={name} label={t(name)} placeholder={t('ofAgent')} />
        ))}
      </div>
      <div className={css.two}>
        <TextFormField form={form} name="tenant" label={t('tenant')} remark={t('tenantRemark')} />
        {(['session', 'workflow', 'step'] as const).map((name) => (
          <TextFormField key={name} form={form} name={name} label={t(name)} />
        ))}
      </div>
    </>
  )
}

function StartField({ form }: Pick<Props, 'form'>) {
  const t = useMessages(createMessages)
  return (
    <FormField form={form} name="start" label={t('start')}>
      {(control) => (
        <Select
          {...control}
          label={t('start')}
          value={form.draft.start}
          options={STARTS.map((value) => ({ value, label: t(`start_${value}`) }))}
          onChange={(value) => {
            const start = STARTS.find((one) => one === value)
            if (start !== undefined) form.set('start', start)
          }}
        />
      )}
    </FormField>
  )
}

function GoalFields({ form }: Pick<Props, 'form'>) {
  const t = useMessages(createMessages)
  return (
    <div className={css.two}>
      <FormField form={form} name="goal" label={t('goal')}>
        {(control) => (
          <Select
            {...control}
            label={t('goal')}
            value={form.draft.goal}
            options={GOALS.map((value) => ({ value, label: t(`goal_${value}`) }))}
            onChange={(value) => {
              const goal = GOALS.find((one) => one === value)
              if (goal !== undefined) form.set('goal', goal)
            }}
          />
        )}
      </FormField>
      {form.draft.goal !== 'none' && (
        <TextFormField
          form={form}
          name="goalTurns"
          label={t('goalTurns')}
          remark={t('goalTurnsRemark')}
          placeholder={String(DEFAULT_TURNS)}
          inputMode="numeric"
        />
      )}
    </div>
  )
}

function SkillsField({ form }: Pick<Props, 'form'>) {
  const t = useMessages(createMessages)
  const { skillsFrom, skills } = form.draft
  return (
    <div className={css.two}>
      <FormField form={form} name="skills" label={t('skills')}>
        {(control) => (
          <Select
            {...control}
            label={t('skills')}
            value={skillsFrom}
            options={SKILL_SOURCES.map((value) => ({ value, label: t(`skills_${value}`) }))}
            onChange={(value) => {
              const source = SKILL_SOURCES.find((one) => one === value)
              if (source !== undefined) form.set('skillsFrom', source)
            }}
          />
        )}
      </FormField>
      {skillsFrom === 'card' && <ChosenSkills form={form} chosen={skills} />}
    </div>
  )
}

function ChosenSkills({ form, chosen }: Pick<Props, 'form'> & { readonly chosen: readonly string[] }) {
  const t = useMessages(createMessages)
  const { workspace, folder } = form.draft
  const { data = [] } = useQuery(skillsQuery(workspace === 'scratch' || !folder.startsWith('/') ? null : folder))
  const options = data
    .filter(({ name }) => !chosen.includes(name))
    .map(({ name, description, isUsable, problems }) => ({
      value: name,
      label: name,
      words: description ?? '',
      disabledReason: isUsable ? null : (problems[0] ?? null),
    }))
  return (
    <div className={css.skills}>
      <Combobox
        label={t('addSkill')}
        placeholder={t('addSkill')}
        value={null}
        options={options}
        onChange={(name) => form.set('skills', [...chosen, name])}
      />
      {chosen.length === 0 ? (
        <p className={css.hint}>{t('noSkills')}</p>
      ) : (
        <TokenList>
          {chosen.map((name) => (
            <Token
              key={name}
              name={name}
              onRemove={() =>
                form.set(
                  'skills',
                  chosen.filter((one) => one !== name),
                )
              }
            >
              {name}
            </Token>
          ))}
        </TokenList>
      )}
    </div>
  )
}
