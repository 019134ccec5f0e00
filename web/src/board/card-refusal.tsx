/** Shows why the server refused to change the card. */
import { TriangleAlert } from 'lucide-react'
import { useMessages } from '../i18n/use-messages.tsx'
import { Button } from '../ui/button.tsx'
import { actionMessages } from './actions/messages.ts'
import { dismissRefusals, useRefusal } from './actions/refusals.ts'
import css from './card-refusal.module.css'

export function CardRefusal({ id }: { readonly id: string }) {
  const t = useMessages(actionMessages)
  const refusal = useRefusal(id)
  if (refusal === undefined) return null
  return (
    <div className={css.refusal} role="alert">
      <TriangleAlert />
      <span className={css.text}>{refusal}</span>
      <span className={css.actions}>
        <Button size="small" look="ghost" onClick={() => dismissRefusals([id])}>
          {t('dismiss')}
        </Button>
      </span>
    </div>
  )
}
