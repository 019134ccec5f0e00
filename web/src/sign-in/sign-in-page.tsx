import { LoaderCircle } from 'lucide-react'
import { useMessages } from '../i18n/use-messages.tsx'
import { CodeBlock } from '../ui/code-block.tsx'
import { signInMessages } from './messages.ts'
import type { SignInState } from './sign-in-state.ts'
import css from './sign-in.module.css'

const TEXTS = {
  used: { title: 'used', text: 'usedMore', command: 'muster open' },
  too_many: { title: 'tooMany', text: 'tooManyMore', command: 'muster open' },
  offline: { title: 'offline', text: 'offlineMore', command: 'muster up' },
  no_link: { title: 'signedOut', text: 'signedOutMore', command: 'muster open' },
} as const

export function SignInPage({ state }: { readonly state: SignInState }) {
  const t = useMessages(signInMessages)
  return (
    <main className={css.page}>
      <div className={css.box}>
        <p className={css.brand}>
          <img src="/favicon.svg" alt="" className={css.logo} />
          Muster
        </p>
        {state === 'signing_in' ? (
          <p className={css.busy} role="status">
            <LoaderCircle className={css.spin} />
            {t('signingIn')}
          </p>
        ) : (
          <div className={css.text} role={state === 'no_link' ? undefined : 'alert'}>
            <h1 className={css.title}>{t(TEXTS[state].title)}</h1>
            <p>{t(TEXTS[state].text)}</p>
            <CodeBlock>{TEXTS[state].command}</CodeBlock>
          </div>
        )}
      </div>
    </main>
  )
}
