/** Answers an agent's permission requests according to the permissions in its file, because no person can answer. */
import { readlink, realpath } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, resolve, sep } from 'node:path'
import { isOutside } from '../../util/paths.ts'
import type { Permissions } from '../../core/vocabulary.ts'
import { asList, asObject, asText } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import { CHANGES, boardTool, filesOfCall, pathsShown } from './tool-calls.ts'
import type { KnownCall } from './tool-calls.ts'

export interface PermissionDecision {
  readonly isAllowed: boolean
  readonly why: string
}

const READING = ['read', 'search', 'think']

/** Decides on a request by the kind of the tool call, as the agent reports it. */
export async function decidePermission(
  known: KnownCall,
  { permissions, workspace }: { readonly permissions: Permissions; readonly workspace: string },
): Promise<PermissionDecision> {
  const kind = kindOf(known.call)
  const decide = (isAllowed: boolean, why: string): PermissionDecision => ({ isAllowed, why })
  if (permissions === 'full') return decide(true, 'permissions: full')
  if (kind === 'other' && boardTool(known) !== null) return decide(true, 'a tool of the board')
  if (READING.includes(kind)) return decide(true, `permissions: ${permissions}`)
  if (!CHANGES.includes(kind) || permissions !== 'edit')
    return decide(false, `permissions: ${permissions} does not allow a call of the kind ${kind}`)
  const paths = filesOfCall(known.call)
  if (paths.length === 0) return decide(false, 'the call does not name the file it changes')
  for (const path of paths)
    if (!(await isInside(workspace, path))) return decide(false, `${path} is not in the workspace`)
  return decide(true, 'permissions: edit, in the workspace')
}

/**
 * The kind of a call. A call without a kind counts as `other`, the strictest kind. A call of a reading kind that
 * contains a diff counts as an edit.
 */
function kindOf(call: Fields): string {
  const kind = asText(call['kind']) ?? 'other'
  return READING.includes(kind) && pathsShown(call).length > 0 ? 'edit' : kind
}

/**
 * Whether a path is inside a folder. Some programs resolve `..` before they follow links, other programs after that. So
 * the path must be inside the folder in both cases.
 */
async function isInside(folder: string, path: string): Promise<boolean> {
  const asWritten = isAbsolute(path) ? path : `${folder}${sep}${path}`
  try {
    const [root, ...real] = await Promise.all([
      realpath(folder),
      realPathOf(asWritten),
      realPathOf(resolve(folder, path)),
    ])
    return !real.some((one) => isOutside(root, one))
  } catch {
    return false
  }
}

/** Returns the real path of a file, even if the file does not exist yet. */
async function realPathOf(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    const parent = dirname(path)
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || parent === path) throw error
    const [folder, target] = [await realPathOf(parent), await readlink(path).catch(() => null)]
    if (target === null) return join(folder, basename(path))
    return realPathOf(isAbsolute(target) ? target : `${folder}${sep}${target}`)
  }
}

type PermissionOutcome = { readonly outcome: 'selected'; readonly optionId: string } | { readonly outcome: 'cancelled' }

/**
 * Chooses the option "once" and never "always", because some agents save "always" in the user's settings. If the agent
 * does not offer "once", the request is cancelled.
 */
export function chooseOption(options: unknown, { isAllowed }: PermissionDecision): PermissionOutcome {
  const kind = isAllowed ? 'allow_once' : 'reject_once'
  const given = asList(options).map((one) => asObject(one) ?? {})
  const optionId = asText(given.find((option) => option['kind'] === kind)?.['optionId'])
  return optionId === null ? { outcome: 'cancelled' } : { outcome: 'selected', optionId }
}
