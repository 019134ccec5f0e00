/** A workspace in the form that people and agents write: `scratch`, `dir:/path`, `worktree` or `worktree:/repo`. */
export type WorkspaceText =
  | { readonly kind: 'scratch'; readonly path: null; readonly repo: null }
  | { readonly kind: 'dir'; readonly path: string | null; readonly repo: null }
  | { readonly kind: 'worktree'; readonly path: null; readonly repo: string | null }

/** Parses a workspace. Returns null if the text is not valid. */
export function parseWorkspace(written: string): WorkspaceText | null {
  const found = /^(scratch|dir|worktree)(?::(.*))?$/s.exec(written.trim())
  const path = found?.[2]?.trim() ?? null
  switch (found?.[1]) {
    case 'scratch':
      return path === null ? { kind: 'scratch', path: null, repo: null } : null
    case 'dir':
      return { kind: 'dir', path, repo: null }
    case 'worktree':
      return { kind: 'worktree', path: null, repo: path }
    default:
      return null
  }
}
