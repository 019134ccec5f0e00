/** What an agent may do that asks for leave. Nobody is there to be asked: its file has said it beforehand. */
import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { leadsOut } from '../../util/leads-out.ts'
import type { Permissions } from '../../core/vocabulary.ts'
import { asList, asObject, asText } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import { CHANGES, boardTool, pathsOf, pathsShown } from './tool-calls.ts'
import type { Known } from './tool-calls.ts'

export interface Leave {
  readonly isAllowed: boolean
  readonly why: string
}

const LOOKS = ['read', 'search', 'think']

/** By the kind that the agent gives the call. */
export async function judge(
  known: Known,
  { permissions, workspace }: { readonly permissions: Permissions; readonly workspace: string },
): Promise<Leave> {
  const kind = kindOf(known.call)
  const may = (isAllowed: boolean, why: string): Leave => ({ isAllowed, why })
  if (permissions === 'full') return may(true, 'permissions: full')
  if (kind === 'other' && boardTool(known) !== null) return may(true, 'a tool of the board')
  if (LOOKS.includes(kind)) return may(true, `permissions: ${permissions}`)
  if (!CHANGES.includes(kind) || permissions !== 'edit')
    return may(false, `permissions: ${permissions} does not allow a call of the kind ${kind}`)
  const paths = pathsOf(known.call)
  if (paths.length === 0) return may(false, 'it does not say which file it would change')
  for (const path of paths)
    if (!(await leadsInto(workspace, path))) return may(false, `${path} is not in the workspace`)
  return may(true, 'permissions: edit, in the workspace')
}

/** What it does not say is taken for the worst; what shows a change is one, though it is called a thought. */
function kindOf(call: Fields): string {
  const kind = asText(call['kind']) ?? 'other'
  return LOOKS.includes(kind) && pathsShown(call).length > 0 ? 'edit' : kind
}

/** Neither `..` nor a link leads out. Some programs take `..` from where a link lies, others from where it leads. */
async function leadsInto(folder: string, path: string): Promise<boolean> {
  const asWritten = isAbsolute(path) ? path : `${folder}${sep}${path}`
  try {
    const [root, ...real] = await Promise.all([realpath(folder), realWay(asWritten), realWay(resolve(folder, path))])
    return !real.some((one) => leadsOut(root, one))
  } catch {
    return false
  }
}

/** Where a file is. One that is not there yet would lie where its folder really is, or where a link in its place points. */
async function realWay(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    const [folder, target] = [await realWay(parent), await readlink(path).catch(() => null)]
    if (target === null) return join(folder, basename(path))
    return realWay(isAbsolute(target) ? target : `${folder}${sep}${target}`)
  }
}

type Outcome = { readonly outcome: 'selected'; readonly optionId: string } | { readonly outcome: 'cancelled' }

/**
 * The option that says it, once and not for ever: some agents write down in the user's own settings what they are always
 * allowed. Where there is none such, the call is cancelled.
 */
export function choose(options: unknown, { isAllowed }: Leave): Outcome {
  const kind = isAllowed ? 'allow_once' : 'reject_once'
  const given = asList(options).map((one) => asObject(one) ?? {})
  const optionId = asText(given.find((option) => option['kind'] === kind)?.['optionId'])
  return optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId }
}
