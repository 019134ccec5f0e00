/**
 * Finds the settings files that OpenCode changes. OpenCode adds a `$schema` line to each settings file of the user and
 * the repository that has no such line. No setting of OpenCode 1.18 prevents this.
 */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { asObject, withoutComments } from '../../util/json-fields.ts'
import type { Job, UnwantedChange } from '../harness.ts'
import { readUserFile } from '../user-folder.ts'

const LINE = '{\n  "$schema": "https://opencode.ai/config.json",'
const NAMES = ['opencode.json', 'opencode.jsonc']

export const changesByOpencode = (job: Pick<Job, 'env' | 'workspace'>): readonly UnwantedChange[] =>
  [...new Set(settingsFiles(job))].flatMap((path) => {
    const was = readUserFile(path)
    if (was === null || namesSchema(was)) return []
    const becomes = was.replace(/^\s*\{/, LINE)
    return becomes === was ? [] : [{ path, was, becomes }]
  })

function settingsFiles({ env, workspace }: Pick<Job, 'env' | 'workspace'>): readonly string[] {
  const { HOME: home, OPENCODE_CONFIG: own, OPENCODE_CONFIG_DIR: folder } = env
  const config = env['XDG_CONFIG_HOME'] ?? (home === undefined ? undefined : join(home, '.config'))
  const inEach = (folders: readonly (string | undefined)[], names = NAMES): readonly string[] =>
    folders.flatMap((one) => (one === undefined ? [] : names.map((name) => join(one, name))))
  return [
    ...inEach([config === undefined ? undefined : join(config, 'opencode')], ['config.json', ...NAMES]),
    ...inEach([home === undefined ? undefined : join(home, '.opencode'), folder]),
    ...inEach(foldersAbove(workspace).flatMap((one) => [one, join(one, '.opencode')])),
    ...(own === undefined ? [] : [own]),
  ]
}

/** The folders from the workspace up to the top of its repository, or up to `/` outside a repository. */
function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder)
  return above === folder || existsSync(join(folder, '.git')) ? [folder] : [folder, ...foldersAbove(above)]
}

/**
 * Whether a file has a `$schema` line. The result is also true for an invalid file, because OpenCode does not change
 * such a file.
 */
function namesSchema(text: string): boolean {
  try {
    return Boolean(asObject(JSON.parse(withoutLastCommas(withoutComments(text))))?.['$schema'])
  } catch {
    return true
  }
}

/** Removes trailing commas, which OpenCode accepts. */
const withoutLastCommas = (text: string): string =>
  text.replaceAll(/"(?:\\.|[^"\\])*"|,(?=\s*[}\]])/g, (found) => (found === ',' ? '' : found))
