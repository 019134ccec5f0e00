import { Copy } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatSpan } from '../i18n/format.ts'
import { formatNumber } from '../i18n/messages.ts'
import type { Language } from '../i18n/language.ts'
import { useLanguage, useMessages } from '../i18n/use-messages.tsx'
import type { Translate } from '../i18n/use-messages.tsx'
import { Facts } from '../page/facts.tsx'
import type { FactRow } from '../page/facts.tsx'
import { agentPath } from '../routes/paths.ts'
import { IconButton } from '../ui/button.tsx'
import css from './detail.module.css'
import { permissionOf } from './agent-state.ts'
import { detailMessages } from './detail-messages.ts'
import type { Member } from './queries.ts'

export function AgentFacts({ member }: { readonly member: Member }) {
  const t = useMessages(detailMessages)
  const language = useLanguage()
  const { file, harness } = member
  // Only cards name this agent, so it has no setup.
  if (file === null && harness === null) return null
  return (
    <section className={css.section}>
      <h3 className={css.heading}>{t('setup')}</h3>
      <Facts
        facts={[
          ...programFacts(member, t),
          ...limitFacts(member, t, language),
          ...contentFacts(member, t),
          { name: t('file'), value: file === null ? t('builtIn') : <FilePath path={file} />, isCode: file !== null },
        ]}
      />
    </section>
  )
}

type T = Translate<(typeof detailMessages)['en']>

const listed = (values: readonly string[]): string | null => (values.length === 0 ? null : values.join('\n'))

function programFacts({ harness, cli, program, args, model, provider, effort }: Member, t: T): readonly FactRow[] {
  const hasProgram = harness !== null && harness !== 'shell'
  return [
    { name: t('harness'), value: cli?.title ?? harness },
    { name: t('program'), value: hasProgram ? (program ?? t('programMissing')) : null, isCode: program !== null },
    { name: t('arguments'), value: args.length === 0 ? null : args.join(' '), isCode: true },
    { name: t('model'), value: model, isCode: true },
    { name: t('provider'), value: provider, isCode: true },
    { name: t('effort'), value: effort, isCode: true },
  ]
}

function limitFacts(member: Member, t: T, language: Language): readonly FactRow[] {
  const { permissions, maxConcurrent, maxRuntimeMs, activeHours, account, fallback, harness } = member
  const known = permissionOf({ harness, permissions })
  return [
    { name: t('permissions'), value: known === undefined ? permissions : t(`permission_${known}`) },
    {
      name: t('atOnce'),
      value: harness === null ? null : maxConcurrent === null ? t('noLimit') : formatNumber(language, maxConcurrent),
    },
    { name: t('timeLimit'), value: maxRuntimeMs === null ? null : formatSpan(language, maxRuntimeMs) },
    { name: t('hours'), value: activeHours },
    { name: t('account'), value: account },
    {
      name: t('fallback'),
      value:
        fallback === null ? null : (
          <Link href={agentPath(fallback)} className={css.link}>
            {fallback}
          </Link>
        ),
    },
  ]
}

const contentFacts = ({ env, tools, skills, setup, checks }: Member, t: T): readonly FactRow[] => [
  { name: t('env'), value: listed(env), isCode: true },
  { name: t('tools'), value: listed(tools), isCode: true },
  { name: t('skills'), value: listed(skills), isCode: true },
  { name: t('prepares'), value: listed(setup), isCode: true },
  { name: t('checks'), value: listed(checks), isCode: true },
]

function FilePath({ path }: { readonly path: string }) {
  const t = useMessages(detailMessages)
  const [isCopied, setIsCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(path)
    setIsCopied(true)
  }
  return (
    <span className={css.path}>
      {path}
      <IconButton
        icon={<Copy />}
        size="small"
        label={t(isCopied ? 'copied' : 'copyPath')}
        // The browser may refuse access to the clipboard. In that case, the person can still select the path.
        onClick={() => void copy().catch(() => {})}
        onPointerLeave={() => setIsCopied(false)}
      />
    </span>
  )
}
