import { useMessages } from '../i18n/use-messages.tsx'
import { useShortcuts } from '../shortcuts/use-shortcut.tsx'
import { Button } from '../ui/button.tsx'
import { Kbd } from '../ui/kbd.tsx'
import { Switch } from '../ui/switch.tsx'
import css from './create.module.css'
import { EMPTY_DRAFT, isEmptyDraft } from './draft.ts'
import { createMessages } from './messages.ts'
import type { useCreateForm } from './use-create-form.ts'

interface Props {
  readonly formId: string
  readonly form: ReturnType<typeof useCreateForm>
  readonly isBusy: boolean
  readonly isAnother: boolean
  readonly onAnother: (isAnother: boolean) => void
  readonly onCancel: () => void
  readonly onSubmit: () => void
}

export function Footer({ formId, form, isBusy, isAnother, onAnother, onCancel, onSubmit }: Props) {
  const t = useMessages(createMessages)
  // The shortcut is registered here, because the form itself handles the keys of its fields.
  useShortcuts([{ keys: 'mod+enter', name: t('create'), group: t('create'), onPress: onSubmit }])
  return (
    <>
      {form.refusal !== null && (
        <p className={css.refusal} role="alert">
          {form.refusal}
        </p>
      )}
      <Switch isOn={isAnother} onChange={onAnother}>
        {t('another')}
      </Switch>
      <span className={css.saved} role="status">
        {form.isSaved && t('draftSaved')}
      </span>
      {!isEmptyDraft(form.draft) && (
        <Button look="ghost" className={css.discard} onClick={() => form.replace(EMPTY_DRAFT)}>
          {t('discard')}
        </Button>
      )}
      <Button onClick={onCancel}>{t('cancel')}</Button>
      <Button look="primary" type="submit" form={formId} writes isBusy={isBusy}>
        {t('create')}
        <span className={css.keys}>
          <Kbd keys="mod+enter" />
        </span>
      </Button>
    </>
  )
}

interface CreatedProps {
  /** The number of files that were not uploaded. Null while files are being uploaded. */
  readonly failed: number | null
  readonly onRetry: () => void
  readonly onSkip: () => void
}

/** The footer after the card was created, if some of its files are missing. */
export function CreatedFooter({ failed, onRetry, onSkip }: CreatedProps) {
  const t = useMessages(createMessages)
  return (
    <>
      <span className={css.saved} role="status">
        {failed === null ? t('uploading') : t('uploadFailed', { n: failed })}
      </span>
      <Button disabledReason={failed === null ? t('uploading') : null} onClick={onSkip}>
        {t('withoutFiles')}
      </Button>
      <Button look="primary" writes isBusy={failed === null} onClick={onRetry}>
        {t('uploadAgain')}
      </Button>
    </>
  )
}
