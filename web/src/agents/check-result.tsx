import type { Outputs } from '../../../src/client/index.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { Facts } from '../page/facts.tsx'
import type { FactRow } from '../page/facts.tsx'
import { Pill } from '../ui/pill.tsx'
import css from './detail.module.css'
import { detailMessages } from './detail-messages.ts'
import type { Member } from './queries.ts'

interface Props {
  readonly result: Outputs['agentsCheck']
  readonly cli: Member['cli']
}

export function CheckResult({ result: { agents, clis }, cli: known }: Props) {
  const t = useMessages(detailMessages)
  const [agent] = agents
  const [cli] = clis
  const faults = [...(agent?.problems ?? []), ...(cli?.notes ?? [])]
  const facts: readonly FactRow[] =
    cli === undefined
      ? []
      : [
          { name: t('program'), value: cli.program ?? t('programMissing'), isCode: cli.program !== null },
          {
            name: t('version'),
            value: cli.version ?? (cli.fault === null ? null : t('versionUnknown', { fault: cli.fault })),
          },
          { name: t('login'), value: loginOf(cli.logIn, known, t) },
        ]
  return (
    <div className={css.section}>
      {agent?.isUsable === true && (
        <p>
          <Pill hue="done">{t('checkGood')}</Pill>
        </p>
      )}
      {faults.length > 0 && (
        <ul className={css.problems}>
          {faults.map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      <Facts facts={facts} />
      {cli?.provedWith != null && <p>{t('testedWith', { version: cli.provedWith })}</p>}
    </div>
  )
}

type T = ReturnType<typeof useMessages<(typeof detailMessages)['en']>>

function loginOf(
  { file, variables }: Outputs['agentsCheck']['clis'][number]['logIn'],
  cli: Member['cli'],
  t: T,
): string | null {
  const place = file ?? variables[0]
  if (place !== undefined) return t('loginFound', { place })
  return cli === null ? null : t('loginMissing', { command: cli.logIn })
}
