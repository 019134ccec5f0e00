import { useMessages } from '../i18n/use-messages.tsx'
import { classNames } from '../ui/class-names.ts'
import { CodeBlock } from '../ui/code-block.tsx'
import { stateOf } from './agent-state.ts'
import css from './detail.module.css'
import { detailMessages } from './detail-messages.ts'
import type { Member } from './queries.ts'

/** Explains why the agent cannot run on this machine, and shows the commands that fix this. */
export function SetUp({ member }: { readonly member: Member }) {
  const t = useMessages(detailMessages)
  const { name, isUsable, problems, cli } = member
  if (isUsable) return null
  const state = stateOf(member)
  return (
    <section className={classNames(css.notice, css.urgent)}>
      <h3 className={css.noticeTitle}>{t('notUsable', { agent: name })}</h3>
      {state === 'unknown' ? (
        <p>{t('noFile')}</p>
      ) : state === 'missing' && cli !== null ? (
        <Install cli={cli} />
      ) : (
        <>
          {problems.map((problem) => (
            <p key={problem}>{problem}</p>
          ))}
          <p>{t('more')}</p>
          <CodeBlock>{`muster agents check ${name}`}</CodeBlock>
        </>
      )}
    </section>
  )
}

/** Whether the text is a command. For a CLI without an install command, the text names a page: "see https://…". */
const isCommand = (install: string): boolean => !install.startsWith('see ')

function Install({ cli }: { readonly cli: NonNullable<Member['cli']> }) {
  const t = useMessages(detailMessages)
  const { title, install, logIn } = cli
  const address = install.replace(/^see /, '')
  return (
    <>
      {isCommand(install) ? (
        <>
          <p>{t('installIt', { cli: title })}</p>
          <CodeBlock>{install}</CodeBlock>
        </>
      ) : (
        <p>
          {t.rich('installHint', {
            cli: title,
            hint: (
              <a href={address} target="_blank" rel="noreferrer" className={css.link}>
                {address}
              </a>
            ),
          })}
        </p>
      )}
      <p>{t('thenLogIn')}</p>
      <CodeBlock>{logIn}</CodeBlock>
    </>
  )
}
