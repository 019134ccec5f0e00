import { useCallback, useEffect, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../../api/client.ts'
import { asClientError } from '../../api/errors.ts'
import { keys } from '../../api/keys.ts'
import { cardQuery } from '../../api/queries.ts'
import { useCommand } from '../../api/use-command.ts'
import { describeError } from '../../i18n/describe-error.ts'
import { useLanguage, useMessages } from '../../i18n/use-messages.tsx'
import { keyNames } from '../../shortcuts/key-names.ts'
import { Button } from '../../ui/button.tsx'
import { Textarea } from '../../ui/field.tsx'
import { Markdown } from '../../ui/markdown.tsx'
import { Choices } from '../../ui/switch.tsx'
import { actionMessages } from '../actions/messages.ts'
import type { CardDetails } from '../card-details.ts'
import { useStored } from '../drafts/use-stored.ts'
import { isOvertaken, keepDescriptionDraft, keepMine, readDescriptionDraft } from './description-draft.ts'
import type { DescriptionDraft } from './description-draft.ts'
import { overviewMessages } from './messages.ts'
import { OtherVersion } from './other-version.tsx'
import css from './overview.module.css'

interface Props {
  readonly card: CardDetails
  readonly onClose: () => void
}

type View = 'write' | 'preview'

export function DescriptionEditor({ card, onClose }: Props) {
  const t = useMessages(overviewMessages)
  const tAction = useMessages(actionMessages)
  const current = card.body ?? ''
  const [draft, setDraft] = useState<DescriptionDraft>(
    () => readDescriptionDraft(card.id) ?? { text: current, base: current },
  )
  const [view, setView] = useState<View>('write')
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => field.current?.focus({ preventScroll: true }), [])
  const [fault, setFault] = useState<string | null>(null)
  const { discard } = useStored(
    draft,
    useCallback((now: DescriptionDraft | null) => keepDescriptionDraft(card.id, now), [card.id]),
  )
  const isOther = isOvertaken(draft, current)
  const close = (): void => {
    discard()
    onClose()
  }
  const save = useSave(card, { onSaved: close, onFault: setFault })
  const send = (): void => {
    if (isOther || save.isPending) return
    if (draft.text === current) close()
    else save.mutate(draft)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) send()
    else if (event.key === 'Escape') onClose()
    else return
    event.preventDefault()
  }
  return (
    // The shortcuts of the text field and of its buttons.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions
    <div className={css.editor} onKeyDown={onKeyDown}>
      <Choices<View>
        label={t('description')}
        current={view}
        onChange={setView}
        choices={[
          { key: 'write', label: t('write') },
          { key: 'preview', label: t('preview') },
        ]}
      />
      {view === 'preview' ? (
        <div className={css.preview} role="region" aria-label={t('preview')} tabIndex={0}>
          <Markdown text={draft.text} />
        </div>
      ) : (
        <Textarea
          ref={field}
          rows={8}
          className={css.bodyField}
          aria-label={t('description')}
          value={draft.text}
          onChange={(event) => setDraft({ ...draft, text: event.target.value })}
        />
      )}
      {isOther && (
        <OtherVersion
          mine={draft.text}
          theirs={current}
          onKeep={() => setDraft(keepMine(draft, current))}
          onTake={() => setDraft({ text: current, base: current })}
        />
      )}
      {fault !== null && (
        <p className={css.fault} role="alert">
          {fault}
        </p>
      )}
      <div className={css.remedies}>
        <Button
          look="primary"
          size="small"
          writes
          isBusy={save.isPending}
          disabledReason={isOther ? t('decideFirst') : null}
          tip={tAction('send', { keys: keyNames('mod+enter').join(' ') })}
          onClick={send}
        >
          {t('save')}
        </Button>
        <Button size="small" onClick={close}>
          {t('discard')}
        </Button>
        {draft.text !== draft.base && <span className={css.hint}>{t('draftKept')}</span>}
      </div>
    </div>
  )
}

/**
 * How often to try to save. The server refuses a try if anything on the card has changed, even if the change does not
 * matter here.
 */
const TRIES = 5

/**
 * Saves the text if the description has not changed. Otherwise reads the card again, and the page shows both versions.
 */
function useSave(
  card: CardDetails,
  { onSaved, onFault }: { onSaved: () => void; onFault: (fault: string | null) => void },
) {
  const cache = useQueryClient()
  const language = useLanguage()
  return useCommand({
    async run({ text, base }: DescriptionDraft) {
      let { updatedAt } = card
      for (let tries = 1; ; tries += 1) {
        try {
          await client.update({ task: card.id, body: text.trim() === '' ? null : text, unchangedSince: updatedAt })
          return true
        } catch (error) {
          if (asClientError(error).code !== 'card_changed' || tries === TRIES) throw error
          const now = await cache.fetchQuery({ ...cardQuery(card.id), staleTime: 0 })
          if ((now.body ?? '') !== base) return false
          updatedAt = now.updatedAt
        }
      }
    },
    cards: () => [card.id],
    refresh: () => [keys.card(card.id)],
    onDone: (isSaved) => {
      onFault(null)
      if (isSaved) onSaved()
    },
    onRefusal: (error) => onFault(describeError(error, language)),
  })
}
