/** The MCP resources: the briefing of a card, and the attachments of its parents. */
import { readFile } from '../util/guarded-files.ts'
import type { Attachment } from '../core/attachment.ts'
import { BoardError } from '../core/errors.ts'
import type { TaskDetails } from '../operations/shared/views.ts'
import type { Resource, ResourceContent } from './answer.ts'
import type { Caller } from './call-tool.ts'

type LocatedAttachment = Attachment & { readonly path: string | null }

/** The maximum size of a file that is returned as a resource. An agent opens a larger file by its path. */
const MAX_BYTES = 1024 * 1024
const SCHEME = /^muster:\/\/(briefing|attachment)\/([^/]+)(?:\/(.+))?$/

export async function listResources({ ask, task }: Caller): Promise<readonly Resource[]> {
  if (task === null) return []
  const own = (await ask('show', { task })) as TaskDetails
  const files = await Promise.all(own.parents.map((parent) => filesOf(ask, parent)))
  return [
    {
      uri: `muster://briefing/${task}`,
      name: 'briefing',
      description: 'The task of this card',
      mimeType: 'text/markdown',
    },
    ...files.flat().map((file) => ({
      uri: `muster://attachment/${file.taskId}/${file.id}`,
      name: file.filename,
      description: `From ${file.taskId}`,
      size: file.size,
      ...(file.contentType === null ? {} : { mimeType: file.contentType }),
    })),
  ]
}

export async function readResource({ ask }: Caller, uri: string): Promise<ResourceContent> {
  const [, kind, card = '', id = ''] = SCHEME.exec(uri) ?? []
  if (kind === 'briefing') {
    const { text } = (await ask('context', { task: card })) as { readonly text: string }
    return { uri, mimeType: 'text/markdown', text }
  }
  const file = kind === 'attachment' ? (await filesOf(ask, card)).find((one) => one.id === id) : undefined
  if (file?.path == null) throw new BoardError('attachment_not_found', `Unknown resource ${uri}. See resources/list.`)
  if (file.size > MAX_BYTES)
    throw new BoardError(
      'invalid_input',
      `${file.filename} is too large (${file.size} bytes). Open it by its path: ${file.path}`,
    )
  return contentOf(uri, file, await contentAt(file.path))
}

const filesOf = async (ask: Caller['ask'], task: string): Promise<readonly LocatedAttachment[]> =>
  (await ask('attachments', { task })) as readonly LocatedAttachment[]

const contentAt = (path: string): Promise<Buffer> =>
  readFile(path).catch((cause: unknown) => {
    throw new BoardError('attachment_not_found', `${path} can no longer be read.`, { cause })
  })

function contentOf(uri: string, { contentType }: LocatedAttachment, bytes: Buffer): ResourceContent {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { uri, mimeType: contentType ?? 'text/plain', text }
  } catch {
    return { uri, mimeType: contentType ?? 'application/octet-stream', blob: bytes.toString('base64') }
  }
}
