/** What the system answered, in words: its codes tell nothing to whoever has not learnt them. */
const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'no permission',
  EPERM: 'no permission',
  EROFS: 'its disk is read-only',
  ENOENT: 'no such file or folder',
  ENOTDIR: 'not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'something else is there',
  ENOTEMPTY: 'it is not empty',
  EFTYPE: 'it is not a file',
  ENOSPC: 'the disk is full',
  EDQUOT: 'no more may be kept on the disk',
  ENAMETOOLONG: 'its name is too long',
  ELOOP: 'its links lead in a circle',
  EXDEV: 'it is on another disk',
  EBUSY: 'it is in use',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EIO: 'the disk failed',
}

/** For a sentence that names the file or folder itself. An error that is not the system's speaks for itself. */
export function systemWords(error: unknown): string {
  const { code = '', message } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  return WORDS[code] ?? message ?? String(error)
}

/** The same, with the file or folder that it is about. */
export function systemFault(error: unknown): string {
  const { path } = (error ?? {}) as Partial<NodeJS.ErrnoException>
  const words = systemWords(error)
  return path === undefined || words.includes(path) ? words : `${words} (${path})`
}
