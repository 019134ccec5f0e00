/** Builds a tree of the changed files. A folder that contains only one folder shares a row with it. */
export interface TreeRow<File> {
  /** The path of the folder or file. */
  readonly path: string
  readonly name: string
  readonly depth: number
  /** Null for a folder. */
  readonly file: File | null
}

interface Folder<File> {
  readonly folders: Map<string, Folder<File>>
  readonly files: { readonly name: string; readonly file: File }[]
}

const newFolder = <File>(): Folder<File> => ({ folders: new Map(), files: [] })

export function treeRows<File extends { readonly path: string }>(
  files: readonly File[],
  closed: ReadonlySet<string> = new Set(),
): readonly TreeRow<File>[] {
  const root = newFolder<File>()
  for (const file of files) {
    const parts = file.path.split('/')
    let folder = root
    for (const part of parts.slice(0, -1)) {
      const next = folder.folders.get(part) ?? newFolder<File>()
      folder.folders.set(part, next)
      folder = next
    }
    folder.files.push({ name: parts.at(-1) ?? '', file })
  }
  return rowsOf(root, { path: '', depth: 0, closed })
}

interface Place {
  readonly path: string
  readonly depth: number
  readonly closed: ReadonlySet<string>
}

function rowsOf<File extends { readonly path: string }>(
  { folders, files }: Folder<File>,
  { path, depth, closed }: Place,
): readonly TreeRow<File>[] {
  const inFolders = [...folders].flatMap(([first, given]) => {
    let [name, folder] = [first, given]
    for (let [only] = folder.folders; only !== undefined && folder.files.length === 0 && folder.folders.size === 1;) {
      name = `${name}/${only[0]}`
      folder = only[1]
      ;[only] = folder.folders
    }
    const own = `${path}${name}`
    const row = { path: own, name, depth, file: null }
    const inside = closed.has(own) ? [] : rowsOf(folder, { path: `${own}/`, depth: depth + 1, closed })
    return [row, ...inside]
  })
  return [...inFolders, ...files.map(({ name, file }) => ({ path: file.path, name, depth, file }))]
}

/** Sorts the files in the order of the tree, which is the order in which their changes are shown. */
export const inTreeOrder = <File extends { readonly path: string }>(files: readonly File[]): readonly File[] =>
  treeRows(files).flatMap(({ file }) => (file === null ? [] : [file]))
