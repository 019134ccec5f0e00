/** Shows the description, with an editor in place. */
import { Pencil } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { useContext, useRef } from 'react'
import { rosterQuery } from '../../api/queries.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { loadLater } from '../../ui/load-later.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Skeleton } from '../../ui/states.tsx'
import type { CardDetails, TabProps } from '../card-details.ts'
import { ReadOnlyReason } from '../frame/use-read-only.ts'
import { overviewMessages } from './messages.ts'
import css from './overview.module.css'
import { Section } from './section.tsx'

const DescriptionEditor = loadLater(
  () => import('./description-editor.tsx').then((module) => module.DescriptionEditor),
  () => <Skeleton width={100} />,
)

interface Props extends TabProps {
  readonly isEditing: boolean
  readonly onEdit: (isEditing: boolean) => void
}

export function Description({ card, isEditing, onEdit }: Props) {
  const t = useMessages(overviewMessages)
  const readOnly = useContext(ReadOnlyReason)
  const isScript = useIsScript(card)
  const button = useRef<HTMLButtonElement>(null)
  const close = (): void => {
    onEdit(false)
    requestAnimationFrame(() => button.current?.focus({ preventScroll: true }))
  }
  return (
    <Section
      title={t('description')}
      actions={
        !isEditing && (
          <Button
            ref={button}
            size="small"
            look="ghost"
            icon={<Pencil />}
            writes
            disabledReason={readOnly}
            onClick={() => onEdit(true)}
          >
            {t('edit')}
          </Button>
        )
      }
    >
      {isEditing ? (
        <DescriptionEditor card={card} onClose={close} />
      ) : card.body === null || card.body.trim() === '' ? (
        <p className={css.none}>{t('noText')}</p>
      ) : isScript ? (
        <CodeBlock wraps>{card.body}</CodeBlock>
      ) : (
        <Markdown text={card.body} className={css.body} />
      )}
    </Section>
  )
}

/** Whether the agent of the card runs its description as a script. */
function useIsScript({ assignee }: CardDetails): boolean {
  const { data } = useQuery(rosterQuery)
  return data?.agents.find(({ name }) => name === assignee)?.harness === 'shell'
}
