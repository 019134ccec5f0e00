/** The fields that a card created by a run inherits from the card of that run. */
import type { Actor } from '../../core/actor.ts'
import type { CardInput } from '../../core/input/card-input.ts'
import { SCRATCH, inheritedWorkspace } from '../../core/input/inherited-workspace.ts'
import type { Store } from '../../storage/store.ts'

export type Inheritable = Pick<CardInput, 'tenant' | 'session'> & { readonly workspace: CardInput['workspace'] | null }

export async function inherit(
  { store, board, actor }: { readonly store: Pick<Store, 'task'>; readonly board: string; readonly actor: Actor },
  { tenant, session, workspace }: Inheritable,
): Promise<Pick<CardInput, 'tenant' | 'session' | 'workspace'>> {
  const own = 'taskId' in actor && actor.taskId !== null ? await store.task(board, actor.taskId) : null
  return {
    tenant: tenant ?? own?.tenant ?? null,
    session: session ?? own?.session ?? null,
    workspace: workspace ?? (own === null ? SCRATCH : inheritedWorkspace(own.workspace)),
  }
}
