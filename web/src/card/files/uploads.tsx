/** Uploads files to the open card as soon as they are chosen. It works in every tab of the card. */
import { useQueryClient } from '@tanstack/react-query'
import { createContext, useContext, useEffect, useRef, useState } from 'react'
import type { DragEvent, ReactNode } from 'react'
import { keys } from '../../api/keys.ts'
import { useCanWrite } from '../../api/use-live.ts'
import { useUploads as useFileUploads } from '../../cards/use-uploads.ts'
import type { DraftFile } from '../../cards/use-uploads.ts'
import { useMessages } from '../../i18n/use-messages.tsx'
import { classNames } from '../../ui/class-names.ts'
import { ReadOnlyReason } from '../frame/use-read-only.ts'
import css from './files.module.css'
import { fileMessages } from './messages.ts'

interface CardUploads {
  readonly waiting: readonly DraftFile[]
  readonly send: (files: readonly File[]) => void
  readonly again: (file: DraftFile) => void
  readonly remove: (id: number) => void
}

const UploadsContext = createContext<CardUploads>({ waiting: [], send() {}, again() {}, remove() {} })

export const useUploads = (): CardUploads => useContext(UploadsContext)

interface ProviderProps {
  /** The id of the card. */
  readonly card: string
  readonly children: ReactNode
}

export function UploadsProvider({ card, children }: ProviderProps) {
  const cache = useQueryClient()
  const uploads = useFileUploads()
  const upload = (files: readonly DraftFile[]): void =>
    void uploads.upload(card, files).then(() => cache.invalidateQueries({ queryKey: keys.card(card) }))
  return (
    <UploadsContext
      value={{
        waiting: uploads.files,
        send: (files) => upload(uploads.add(files)),
        again: (file) => upload([file]),
        remove: uploads.remove,
      }}
    >
      {children}
    </UploadsContext>
  )
}

interface PlaceProps {
  /** Called after files were accepted. */
  readonly onTaken?: (files: readonly File[]) => void
  readonly className?: string | undefined
  readonly children: ReactNode
}

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role=dialog]') !== null

/** Accepts files that a person drops on this element, or pastes anywhere on the page. */
export function DropPlace({ onTaken, className, children }: PlaceProps) {
  const t = useMessages(fileMessages)
  const readOnly = useContext(ReadOnlyReason)
  const canWrite = useCanWrite()
  const { send } = useUploads()
  const [isOver, setIsOver] = useState(false)
  const isOpen = readOnly === null && canWrite
  const take = useRef<(files: readonly File[]) => void>(() => {})
  useEffect(() => {
    take.current = (files) => {
      send(files)
      onTaken?.(files)
    }
  })
  useEffect(() => {
    if (!isOpen) return
    const onPaste = (event: ClipboardEvent): void => {
      const pasted = [...(event.clipboardData?.files ?? [])]
      if (pasted.length === 0 || event.defaultPrevented || isInDialog(event.target)) return
      event.preventDefault()
      take.current(pasted)
    }
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [isOpen])
  const onDrag = (event: DragEvent): void => {
    if (!isOpen || !event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setIsOver(event.type === 'dragover')
    if (event.type === 'drop') take.current([...event.dataTransfer.files])
  }
  return (
    <div
      className={classNames(css.place, isOver && css.over, className)}
      data-drop={t('dropHere')}
      onDragOver={onDrag}
      onDragLeave={() => setIsOver(false)}
      onDrop={onDrag}
    >
      {children}
    </div>
  )
}
