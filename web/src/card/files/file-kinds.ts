/** Decides how the page can show a file. A file never runs code: images are shown as pictures, texts as plain text. */

export type Preview = 'image' | 'text' | null

/** Browsers display these types without running code. An SVG can contain scripts, so it is shown as text. */
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif'])
const IMAGE_NAMES = /\.(png|jpe?g|gif|webp|avif)$/i
const TEXT_TYPES =
  /^(text\/|application\/(json|xml|yaml|x-yaml|toml|javascript|typescript|x-sh|sql))|^image\/svg|\+(json|xml)$/
const TEXT_NAMES =
  /\.(txt|md|markdown|log|csv|tsv|json|jsonl|ya?ml|toml|ini|xml|html?|css|svg|[cm]?[jt]sx?|py|rb|go|rs|java|kt|swift|c|h|cc|cpp|cs|php|sh|sql|diff|patch|env|lock)$/i

/** The maximum size of an image to show. A larger image could exhaust the memory of a phone. */
const IMAGE_BYTES = 25_000_000

/** The preview of a text reads this many bytes. */
export const TEXT_BYTES = 200_000

interface FileFacts {
  readonly filename: string
  readonly contentType: string | null
  readonly size: number
}

export function previewOf({ filename, contentType, size }: FileFacts): Preview {
  const [type = ''] = (contentType ?? '').toLowerCase().split(';')
  const name = type.trim()
  if (IMAGES.has(name) || (isUnknown(name) && IMAGE_NAMES.test(filename))) return size <= IMAGE_BYTES ? 'image' : null
  return TEXT_TYPES.test(name) || TEXT_NAMES.test(filename) ? 'text' : null
}

const isUnknown = (type: string): boolean => type === '' || type === 'application/octet-stream'

/** A removed file up to this size is kept in memory, so that the removal can be undone. */
export const UNDO_BYTES = 20_000_000

interface Attached extends FileFacts {
  readonly id: string
  readonly runId: string | null
}

/** Separates the files that attempts handed over from the files that people attached. */
export const splitFiles = <File extends Attached>(
  files: readonly File[],
): { readonly artifacts: readonly File[]; readonly attachments: readonly File[] } => ({
  artifacts: files.filter(({ runId }) => runId !== null),
  attachments: files.filter(({ runId }) => runId === null),
})
