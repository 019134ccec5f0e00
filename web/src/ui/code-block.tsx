import { Check, Copy } from 'lucide-react'
import { useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useMessages } from '../i18n/use-messages.tsx'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import css from './code-block.module.css'
import { uiMessages } from './messages.ts'

interface Props {
  readonly children: ReactNode
  /** Whether long lines wrap. Otherwise they scroll. */
  readonly wraps?: boolean
}

/** Shows output or code with a button that copies it. */
export function CodeBlock({ children, wraps = false }: Props) {
  const t = useMessages(uiMessages)
  const code = useRef<HTMLPreElement>(null)
  const [isCopied, setIsCopied] = useState(false)
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(code.current?.textContent ?? '')
    setIsCopied(true)
  }
  return (
    <div className={css.frame} onPointerLeave={() => setIsCopied(false)}>
      <pre
        ref={code}
        className={classNames(css.code, wraps && css.wrapped)}
        role="region"
        aria-label={t('codeLabel')}
        tabIndex={0}
      >
        {children}
      </pre>
      <IconButton
        className={css.copy}
        size="small"
        icon={isCopied ? <Check /> : <Copy />}
        label={isCopied ? t('copied') : t('copy')}
        // The browser may refuse access to the clipboard. In that case, the person can still select the text.
        onClick={() => void copy().catch(() => {})}
      />
    </div>
  )
}
