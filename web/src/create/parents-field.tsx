import { useQuery } from '@tanstack/react-query'
import { cardQuery } from '../api/queries.ts'
import { FindCard } from '../cards/find-card.tsx'
import type { FoundCard } from '../cards/find-card.tsx'
import { statusMessages } from '../cards/status-messages.ts'
import { useMessages } from '../i18n/use-messages.tsx'
import { StatusIcon } from '../ui/status-icon.tsx'
import { Token, TokenFrame } from '../ui/tokens.tsx'
import { FormField } from './form-field.tsx'
import { createMessages } from './messages.ts'
import type { CreateForm } from './use-create-form.ts'

export function ParentsField({ form }: { readonly form: CreateForm }) {
  const t = useMessages(createMessages)
  const { parents } = form.draft
  return (
    <FormField form={form} name="parents" label={t('parents')} remark={t('parentsRemark')}>
      {(control) => (
        <TokenFrame>
          {parents.map((parent) => (
            <Parent
              key={parent.id}
              parent={parent}
              onRemove={() =>
                form.set(
                  'parents',
                  parents.filter(({ id }) => id !== parent.id),
                )
              }
            />
          ))}
          <FindCard
            {...control}
            label={t('parents')}
            placeholder={t('parentsPlaceholder')}
            board={form.board}
            without={new Set(parents.map(({ id }) => id))}
            onChoose={({ id, title, status }) => form.set('parents', [...parents, { id, title, status }])}
            onBack={() => form.set('parents', parents.slice(0, -1))}
          />
        </TokenFrame>
      )}
    </FormField>
  )
}

interface ParentProps {
  readonly parent: FoundCard
  readonly onRemove: () => void
}

/** Shows a parent. If the URL names the parent only by its id, the title is read from the server. */
function Parent({ parent, onRemove }: ParentProps) {
  const t = useMessages(statusMessages)
  const { data } = useQuery({ ...cardQuery(parent.id), enabled: parent.title === parent.id })
  const { title, status } = data ?? parent
  return (
    <Token name={title} icon={<StatusIcon status={status} label={t(status)} />} onRemove={onRemove}>
      {title}
    </Token>
  )
}
