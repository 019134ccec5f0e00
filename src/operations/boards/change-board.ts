/** Changes a board and returns the changed board. */
import { unwrap } from '../../core/command.ts'
import type { VerbInput } from '../../core/transitions/index.ts'
import { boardNow } from './board-view.ts'
import type { BoardView } from './views.ts'
import type { BoardContext } from '../shared/operation.ts'

export async function changeBoard(
  context: BoardContext,
  slug: string,
  change: VerbInput<'set_board'>,
): Promise<BoardView & { readonly changed: string[] }> {
  const { store, actor } = context
  const { fields } = unwrap(await store.decide({ verb: 'set_board', board: slug, actor, input: change }))
  return { ...(await boardNow(context, slug)), changed: fields }
}
