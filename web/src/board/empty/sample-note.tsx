/** Shows that the board is a sample, with a button that removes it. */
import { FlaskConical } from 'lucide-react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { Button } from '../../ui/button.tsx'
import css from './empty.module.css'
import { emptyMessages } from './messages.ts'
import { SAMPLE_BOARD } from './sample-board.ts'
import { useRemoveSample } from './use-sample-board.ts'

export function SampleNote({ board }: { readonly board: string | null }) {
  const t = useMessages(emptyMessages)
  const remove = useRemoveSample()
  if (board !== SAMPLE_BOARD) return null
  return (
    <div className={css.sample} role="note">
      <FlaskConical />
      <span className={css.about}>{t('sampleAbout')}</span>
      <Button size="small" writes isBusy={remove.isPending} onClick={() => remove.mutate()}>
        {t('removeSample')}
      </Button>
    </div>
  )
}
