import { useMessages } from '../../i18n/use-messages.tsx'
import { actionMessages } from '../action-messages.ts'
import type { CardItem } from '../card-item.ts'
import css from '../item.module.css'

type Commands = NonNullable<CardItem['commands']>

/** Shows the user, the machine and the folder of a run. */
export function RunsWhere({ commands: { runsAs, directory } }: { readonly commands: Commands }) {
  const t = useMessages(actionMessages)
  return (
    <span className={css.proof}>
      {directory === null ? (
        t('runsInOwn', runsAs)
      ) : (
        <span>{t.rich('runsIn', { ...runsAs, folder: <code>{directory}</code> })}</span>
      )}
    </span>
  )
}
