/**
 * Finds the templates of a person and of a repository. A template can make agents run commands. So a template of a
 * repository is used only after a person has approved the content of its file.
 */
import { basename, join } from 'node:path'
import { addApprovalsIn, isApproved, readApprovalsIn } from '../agents/approved-agents.ts'
import { foldersUpToTop } from '../agents/skills/skill-folders.ts'
import { inHome } from '../config/home.ts'
import { callFileHelper } from '../file-helper/call-file-helper.ts'
import { sha256 } from '../util/sha256.ts'
import { parseTemplate } from './parse-template.ts'
import { TEMPLATE_BYTES, templateFaultText } from './template.ts'
import type { Template } from './template.ts'

export interface FoundTemplate {
  readonly name: string
  readonly file: string
  readonly from: 'home' | 'repository'
  readonly text: string
  readonly sha256: string
  /** Whether the template may be used. Templates in the data folder need no approval. */
  readonly isApproved: boolean
  /** Null if the file has errors. */
  readonly template: Template | null
  readonly problems: readonly string[]
}

interface FoundTemplates {
  readonly templates: readonly FoundTemplate[]
  /** The folder of the repository that has templates. Null if no repository has any. */
  readonly repository: string | null
  /** The folders that could not be read, with the reason. */
  readonly faults: readonly string[]
}

const templatesOf = (folder: string): string => join(folder, '.muster', 'templates')

/**
 * Returns the templates of the data folder and of the repository around `folder`, sorted by name. If both have a
 * template with the same name, the one in the data folder is used.
 */
export async function findTemplates(home: string, folder: string | null): Promise<FoundTemplates> {
  const own = await readFolder(inHome.templates(home), 'home', home)
  const repository = folder === null ? null : await repositoryWithTemplates(folder, home)
  const theirs = repository === null ? NONE : await readFolder(templatesOf(repository), 'repository', home)
  const names = new Set(own.templates.map(({ name }) => name))
  const templates = [...own.templates, ...theirs.templates.filter(({ name }) => !names.has(name))]
  return {
    templates: templates.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
    repository,
    faults: [own.fault, theirs.fault].flatMap((fault) => fault ?? []),
  }
}

interface ReadFolder {
  readonly templates: readonly FoundTemplate[]
  readonly fault: string | null
}

const NONE: ReadFolder = { templates: [], fault: null }

async function readFolder(folder: string, from: FoundTemplate['from'], home: string): Promise<ReadFolder> {
  const { files, fault } = await callFileHelper('readTemplateFiles', { folder, mostBytes: TEMPLATE_BYTES })
  if (files.length === 0) return { templates: [], fault }
  const [approvals, yaml] = await Promise.all([readApprovalsIn(inHome.approvedTemplates(home)), import('yaml')])
  const templates = files.map(({ file, text, fault: unreadable }): FoundTemplate => {
    const hash = sha256(text ?? '')
    const parsed = text === null ? [] : parseTemplate(text, yaml)
    const isRead = text !== null && 'cards' in parsed
    return {
      name: basename(file).replace(/\.ya?ml$/, ''),
      file,
      from,
      text: text ?? '',
      sha256: hash,
      isApproved: from === 'home' || isApproved(approvals, { file, sha256: hash }),
      template: isRead ? parsed : null,
      problems: [
        ...(unreadable === null ? [] : [unreadable]),
        ...('cards' in parsed ? [] : parsed.map((one) => templateFaultText(file, one))),
      ],
    }
  })
  return { templates, fault }
}

/** Returns the nearest folder with templates, from this folder up to the root of the repository. */
async function repositoryWithTemplates(start: string, home: string): Promise<string | null> {
  for (const folder of await foldersUpToTop(start)) {
    const templates = templatesOf(folder)
    if (templates === inHome.templates(home)) continue
    const { files } = await callFileHelper('readTemplateFiles', { folder: templates, mostBytes: TEMPLATE_BYTES })
    if (files.length > 0) return folder
  }
  return null
}

export const approveTemplateFiles = (home: string, found: readonly FoundTemplate[]): Promise<void> =>
  addApprovalsIn(
    inHome.approvedTemplates(home),
    found.map(({ file, sha256: hash }) => ({ file, sha256: hash })),
  )
