/** Reads the template files of a folder. */
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { readWhole } from '../../util/read-whole.ts'
import { systemReason } from '../../util/system-errors.ts'

export interface TemplateFile {
  readonly file: string
  /** The content. Null if the file cannot be read; `fault` is then the reason. */
  readonly text: string | null
  readonly fault: string | null
}

export interface TemplateFiles {
  readonly files: readonly TemplateFile[]
  /** Why the folder cannot be read. A missing folder is not an error: it has no files. */
  readonly fault: string | null
}

/** The maximum number of files of one folder. */
const FILES_MAX = 500

/** Reads all template files of a folder, sorted by name. */
export async function readTemplateFiles(folder: string, mostBytes: number): Promise<TemplateFiles> {
  try {
    const names = (await readdir(folder)).filter((name) => /^[^.].*\.ya?ml$/.test(name)).toSorted()
    const files: TemplateFile[] = []
    for (const name of names.slice(0, FILES_MAX)) files.push(await readTemplate(join(folder, name), mostBytes))
    return { files, fault: null }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
    return { files: [], fault: isMissing ? null : `${folder} cannot be read (${systemReason(error)})` }
  }
}

async function readTemplate(file: string, mostBytes: number): Promise<TemplateFile> {
  try {
    return { file, text: await readWhole(file, mostBytes), fault: null }
  } catch (error) {
    return { file, text: null, fault: `${file} cannot be read (${systemReason(error)})` }
  }
}
