/**
 * Shows the comments, and a field for a new one. New comments appear at the end, so the text that a person is reading
 * does not move.
 */
import { ChevronDown } from 'lucide-react'
import { useContext, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { useQueryField } from '../../routes/use-query-field.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/states.tsx'
import type { TabProps } from '../card-details.ts'
import { useDraft } from '../drafts/use-draft.ts'
import { DropPlace, useUploads } from '../files/uploads.tsx'
import { ReadOnlyReason } from '../frame/use-read-only.ts'
import { CommentRow } from './comment-row.tsx'
import css from './comments.module.css'
import { commentMessages } from './messages.ts'
import { useComments } from './use-comments.ts'
import { WriteBox } from './write-box.tsx'

/** With this value of the URL field `comment`, the focus moves to the field for a new comment. */
export const NEW_COMMENT = 'new'

/** Within this distance from the end, the list follows new comments. */
const NEAR_PX = 80

export function CommentsTab({ card }: TabProps) {
  const t = useMessages(commentMessages)
  const readOnly = useContext(ReadOnlyReason)
  const [named] = useQueryField('comment')
  const draft = useDraft(`${card.id}:comment`)
  const { send } = useUploads()
  const { shown, earlier, isLoading, error, loadEarlier } = useComments(card)
  const { scroll, isBehind, toEnd, follow } = useFollowing({
    first: shown[0]?.id ?? null,
    last: shown.at(-1)?.id ?? null,
    named,
  })
  const attempts = new Map(card.runs.map(({ id, attempt }) => [id, attempt]))
  /** Appends the names of attached files to the comment, so that the next worker can see what they are for. */
  const nameFiles = (files: readonly File[]): void =>
    draft.setText(`${draft.text}${draft.text === '' || draft.text.endsWith(' ') ? '' : ' '}${namesOf(files)}`)
  const attach = (files: readonly File[]): void => {
    send(files)
    nameFiles(files)
  }
  return (
    <DropPlace className={css.tab} onTaken={nameFiles}>
      <div ref={scroll} className={css.scroll} role="region" aria-label={t('list')} tabIndex={0}>
        {earlier > 0 && (
          <div className={css.earlier}>
            <Button size="small" isBusy={isLoading} onClick={loadEarlier}>
              {t('earlier', { n: earlier })}
            </Button>
            {error !== null && (
              <span className={css.fault} role="alert">
                {error}
              </span>
            )}
          </div>
        )}
        {shown.length === 0 && <EmptyState title={t('none')}>{t('noneText')}</EmptyState>}
        <ul className={css.list}>
          {shown.map((comment) => (
            <CommentRow
              key={comment.id}
              card={card}
              comment={comment}
              attempt={comment.runId === null ? null : (attempts.get(comment.runId) ?? null)}
              isNamed={comment.id === named}
            />
          ))}
        </ul>
      </div>
      {isBehind && (
        <Button className={css.below} size="small" icon={<ChevronDown />} onClick={toEnd}>
          {t('newBelow')}
        </Button>
      )}
      {readOnly === null && (
        <WriteBox task={card.id} draft={draft} hasFocus={named === NEW_COMMENT} onSent={follow} onFiles={attach} />
      )}
    </DropPlace>
  )
}

const namesOf = (files: readonly File[]): string => files.map(({ name }) => `\`${name}\``).join(' ')

interface Ends {
  readonly first: string | null
  readonly last: string | null
  readonly named: string | null
}

/**
 * Opens the list at its end, or at the comment that the URL names. While the end is visible, the list follows new
 * comments.
 */
function useFollowing({ first, last, named }: Ends) {
  const scroll = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const [isBehind, setIsBehind] = useState(false)
  const toEnd = (): void => {
    const list = scroll.current
    if (list !== null) list.scrollTop = list.scrollHeight
    setIsBehind(false)
  }
  useLayoutEffect(() => {
    const list = scroll.current
    const target = named === null ? null : document.getElementById(named)
    if (target !== null) target.scrollIntoView({ block: 'center' })
    else if (list !== null) list.scrollTop = list.scrollHeight
  }, [named])
  useEffect(() => {
    const list = scroll.current
    if (list === null) return
    const onScroll = (): void => {
      isAtEnd.current = list.scrollHeight - list.scrollTop - list.clientHeight < NEAR_PX
      if (isAtEnd.current) setIsBehind(false)
    }
    // Markdown is parsed later, so the height of a comment is not known at once.
    const observer = new ResizeObserver(() => {
      if (isAtEnd.current) list.scrollTop = list.scrollHeight
    })
    for (const child of list.children) observer.observe(child)
    list.addEventListener('scroll', onScroll, { passive: true })
    return () => {
      observer.disconnect()
      list.removeEventListener('scroll', onScroll)
    }
  }, [])
  const top = useRef({ first, height: 0 })
  useLayoutEffect(() => {
    const list = scroll.current
    if (list === null) return
    // Earlier comments push the visible ones down, so the list scrolls by the same distance.
    if (top.current.first !== first && !isAtEnd.current) list.scrollTop += list.scrollHeight - top.current.height
    top.current = { first, height: list.scrollHeight }
  })
  const before = useRef(last)
  useEffect(() => {
    if (before.current === last) return
    before.current = last
    if (isAtEnd.current) toEnd()
    else setIsBehind(true)
  }, [last])
  const follow = (): void => {
    isAtEnd.current = true
    toEnd()
  }
  return { scroll, isBehind, toEnd, follow }
}
