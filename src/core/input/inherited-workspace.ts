import type { CardInput } from './card-input.ts'

export const SCRATCH: CardInput['workspace'] = { kind: 'scratch', path: null, repo: null }

/**
 * The workspace that a new card inherits from another card: the same directory, or a new worktree of the same
 * repository. A scratch folder is not shared.
 */
export function inheritedWorkspace({ kind, path, repo }: CardInput['workspace']): CardInput['workspace'] {
  switch (kind) {
    case 'dir':
      return { kind, path, repo: null }
    case 'worktree':
      return { kind, path: null, repo }
    case 'scratch':
      return SCRATCH
  }
}
