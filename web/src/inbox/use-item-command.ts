import type { ClientError } from '../../../src/client/index.ts'
import { keys } from '../api/keys.ts'
import type { InboxItem } from '../api/queries.ts'
import { useCommand } from '../api/use-command.ts'
import { showToast } from '../ui/toasts.ts'
import type { Toast } from '../ui/toasts.ts'
import { useInbox } from './inbox-context.ts'

interface ItemCommand<Input, Output> {
  readonly run: (input: Input) => Promise<Output>
  /** Returns the message for the finished command. */
  readonly done: (output: Output, input: Input) => Pick<Toast, 'text' | 'action'>
  readonly onDone?: () => void
  /** Whether the item still needs the person after the command. */
  readonly stays?: boolean
  readonly onRefusal?: (error: ClientError) => void
}

/** Sends a command that finishes an item. A refusal is shown on the item itself. */
export function useItemCommand<Input, Output>(
  item: Pick<InboxItem, 'id' | 'task'>,
  { run, done, onDone, stays = false, onRefusal }: ItemCommand<Input, Output>,
) {
  const { leave } = useInbox()
  return useCommand<Input, Output>({
    run,
    cards: () => (item.task === null ? [] : [item.id]),
    refresh: () => [keys.inbox, keys.summary],
    onDone(output, input) {
      onDone?.()
      if (!stays) leave([item.id])
      showToast({ kind: 'done', ...done(output, input) })
    },
    ...(onRefusal === undefined ? {} : { onRefusal }),
  })
}
