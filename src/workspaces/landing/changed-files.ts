/** The changed files of a diff, as git prints them with `--raw --numstat -z`. */

export const FILE_CHANGES = ['added', 'changed', 'copied', 'deleted', 'renamed', 'type_changed'] as const

/** The kinds of paths, which follow from the mode. A submodule is a commit of another repository. */
export const FILE_KINDS = ['file', 'executable', 'link', 'submodule'] as const
export type FileKind = (typeof FILE_KINDS)[number]

export interface FileChange {
  readonly path: string
  readonly change: (typeof FILE_CHANGES)[number]
  readonly kind: FileKind
  /** The kind of the file before the change. For a new file, this is equal to `kind`. */
  readonly wasKind: FileKind
  /** The beginning of the hash of the file's new content. Zeros for a deleted file. */
  readonly hash: string
  /** The former path of a renamed or copied file. */
  readonly from: string | null
  /** The number of added lines. This is null for a binary file. */
  readonly added: number | null
  readonly removed: number | null
}

const LETTERS: Readonly<Record<string, FileChange['change']>> = {
  A: 'added',
  C: 'copied',
  D: 'deleted',
  R: 'renamed',
  T: 'type_changed',
}

/** Git prints the kind of each change first, then the counts of each change. Both parts name the same files. */
export function parseChangedFiles(output: string): readonly FileChange[] {
  const parts = output.split('\0')
  const kinds = new Map<string, Omit<FileChange, 'path' | 'added' | 'removed'>>()
  const files: FileChange[] = []
  for (let at = 0; at < parts.length;) {
    const part = parts[at++] ?? ''
    if (part.startsWith(':')) {
      const [oldMode = '', newMode = '', , hash = '', letters = ''] = part.slice(1).split(' ')
      const letter = letters.charAt(0)
      const hasTwoPaths = letter === 'R' || letter === 'C'
      const from = hasTwoPaths ? (parts[at++] ?? null) : null
      const kind = kindOf(letter === 'D' ? oldMode : newMode)
      const wasKind = letter === 'A' ? kind : kindOf(oldMode)
      kinds.set(parts[at++] ?? '', { change: LETTERS[letter] ?? 'changed', from, kind, wasKind, hash })
    } else if (part !== '') {
      const [added, removed, ...rest] = part.split('\t')
      // The path of a renamed file comes after its former path.
      const path = rest.join('\t') === '' ? (parts[(at += 2) - 1] ?? '') : rest.join('\t')
      const known = kinds.get(path) ?? UNKNOWN
      files.push({ path, ...known, added: numberOf(added), removed: numberOf(removed) })
    }
  }
  return files
}

const UNKNOWN = { change: 'changed', from: null, kind: 'file', wasKind: 'file', hash: '' } as const

const MODES: Readonly<Record<string, FileKind>> = { '100755': 'executable', '120000': 'link', '160000': 'submodule' }
const kindOf = (mode: string): FileKind => MODES[mode] ?? 'file'

/** Git prints `-` for a binary file. */
const numberOf = (text: string | undefined): number | null => (text === '-' ? null : Number(text))
