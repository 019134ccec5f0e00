import type { CSSProperties } from 'react'
import { avatarOf } from './avatar-look.ts'
import css from './avatar.module.css'
import { classNames } from './class-names.ts'

interface Props {
  /** The name of the agent. The text beside the avatar already contains it, so screen readers skip the avatar. */
  readonly agent: string
  readonly isLarge?: boolean
}

export function Avatar({ agent, isLarge = false }: Props) {
  const { letter, hue } = avatarOf(agent)
  return (
    <span
      className={classNames(css.avatar, isLarge && css.large)}
      style={{ '--hue': hue } as CSSProperties}
      aria-hidden="true"
    >
      {letter}
    </span>
  )
}
