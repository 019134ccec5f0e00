import { Eye, Paperclip } from 'lucide-react'
import { useRef, useState } from 'react'
import { useMessages } from '../i18n/use-messages.tsx'
import { Button } from '../ui/button.tsx'
import { Textarea } from '../ui/field.tsx'
import { Markdown } from '../ui/markdown.tsx'
import css from './create.module.css'
import { FormField } from './form-field.tsx'
import { createMessages } from './messages.ts'
import type { CreateForm } from './use-create-form.ts'

interface Props {
  readonly form: CreateForm
  /** The chosen agent, if it runs the text as a script. Otherwise null. */
  readonly script: string | null
  readonly onFiles: (files: readonly File[]) => void
}

export function BodyField({ form, script, onFiles }: Props) {
  const t = useMessages(createMessages)
  const [isPreview, setIsPreview] = useState(false)
  const { body } = form.draft
  return (
    <div className={css.bodyField}>
      <FormField
        form={form}
        name="body"
        label={t('body')}
        remark={script === null ? t('bodyRemark') : t('bodyScript', { agent: script })}
      >
        {(control) =>
          isPreview ? (
            <div id={control.id} className={css.preview} tabIndex={0} role="region" aria-label={t('preview')}>
              <Markdown text={body} />
            </div>
          ) : (
            <Textarea
              {...control}
              rows={4}
              className={script === null ? undefined : css.code}
              value={body}
              onChange={(event) => form.set('body', event.target.value)}
            />
          )
        }
      </FormField>
      <div className={css.tools}>
        <AttachButton onFiles={onFiles} />
        <Button
          size="small"
          look="ghost"
          icon={<Eye />}
          aria-pressed={isPreview}
          onClick={() => setIsPreview(!isPreview)}
        >
          {t('preview')}
        </Button>
      </div>
    </div>
  )
}

function AttachButton({ onFiles }: Pick<Props, 'onFiles'>) {
  const t = useMessages(createMessages)
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button size="small" look="ghost" icon={<Paperclip />} onClick={() => input.current?.click()}>
        {t('attach')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // The input is cleared, so that the person can choose the same file again.
          target.value = ''
        }}
      />
    </>
  )
}
