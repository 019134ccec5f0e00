/** The edge of the card with which a person changes its width. A double click restores the default width. */
import { useEffect, useRef, useState } from 'react'
import type { KeyboardEvent, PointerEvent } from 'react'
import { useMessages } from '../../i18n/use-messages.tsx'
import { cardMessages } from '../messages.ts'
import css from './card-frame.module.css'
import { fitWidth, keepWidth, NARROWEST, readWidth, widestIn } from './drawer-width.ts'

const STEP = 32
const PROPERTY = '--drawer-width'

export function ResizeHandle() {
  const t = useMessages(cardMessages)
  const [width, setWidth] = useState(readWidth)
  const handle = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { style } = document.documentElement
    if (width === null) style.removeProperty(PROPERTY)
    else style.setProperty(PROPERTY, `${fitWidth(width, innerWidth)}px`)
  }, [width])
  const change = (next: number | null): void => {
    const fitting = next === null ? null : fitWidth(next, innerWidth)
    setWidth(fitting)
    keepWidth(fitting)
  }
  const shown = (): number => width ?? handle.current?.closest('section')?.offsetWidth ?? NARROWEST
  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) change(innerWidth - event.clientX)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowLeft') change(shown() + STEP)
    else if (event.key === 'ArrowRight') change(shown() - STEP)
    else return
    event.preventDefault()
  }
  return (
    <div
      ref={handle}
      className={css.handle}
      role="separator"
      aria-orientation="vertical"
      aria-label={t('resize')}
      aria-valuenow={width ?? NARROWEST}
      aria-valuemin={NARROWEST}
      aria-valuemax={widestIn(innerWidth)}
      tabIndex={0}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
      onDoubleClick={() => change(null)}
      onKeyDown={onKeyDown}
    />
  )
}
