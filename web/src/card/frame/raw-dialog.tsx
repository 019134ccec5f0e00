/** The dialog that shows the card as JSON, and as commands for a terminal. */
import { useMessages } from '../../i18n/use-messages.tsx'
import { CodeBlock } from '../../ui/code-block.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { commandLines } from '../actions/command-lines.ts'
import type { TabProps } from '../card-details.ts'
import { cardMessages } from '../messages.ts'
import css from './card-frame.module.css'

interface Props extends TabProps {
  readonly shows: 'json' | 'commands'
  readonly onClose: () => void
}

export function RawDialog({ card, shows, onClose }: Props) {
  const t = useMessages(cardMessages)
  return (
    <Dialog isOpen onClose={onClose} title={t(shows === 'json' ? 'showJson' : 'showCommands')}>
      {shows === 'json' ? (
        <CodeBlock>{JSON.stringify(card, null, 2)}</CodeBlock>
      ) : (
        <div className={css.commands}>
          {commandLines(card).map((line) => (
            <CodeBlock key={line} wraps>
              {line}
            </CodeBlock>
          ))}
        </div>
      )}
    </Dialog>
  )
}
