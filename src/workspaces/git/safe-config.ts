/**
 * A repository's own configuration can name programs: filters, diff and merge drivers, hooks, an ssh command, the
 * upload pack of a remote. An agent may have written the configuration, so git must not read it. Instead, git uses a
 * common directory in the data folder. It has links to the repository's objects and refs, and a configuration with only
 * the settings listed here. None of these settings names a program or another settings file. The user's global and
 * system configuration still applies.
 */
import { createHash, randomBytes } from 'node:crypto'
import { lstat, readlink, rename, rm, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists, replaceFile } from '../../util/replace-file.ts'
import { enterFolder } from '../managed-folder.ts'

/** One setting of a configuration file. The name has the form in which git prints it. */
export interface GitSetting {
  readonly name: string
  /** The value of the setting. Null means that the setting has no `=`, which git reads as true. */
  readonly value: string | null
}

const BOOLEAN = /^(true|false|yes|no|on|off|1|0|)$/i
const WORD = /^[a-z0-9_.-]+$/i
const LINE = /^[^\0]*$/
/** Accepts addresses. Options and remote helpers (`ext::sh -c …`) are refused, because both can run programs. */
const ADDRESS = /^(?!-)(?!\w+::)[^\0\n]+$/

/** The settings that are kept, each with the form of its value. `*` stands for a quoted subsection. */
const KEPT: Readonly<Record<string, RegExp>> = {
  'core.repositoryformatversion': /^[01]$/,
  'core.filemode': BOOLEAN,
  'core.symlinks': BOOLEAN,
  'core.ignorecase': BOOLEAN,
  'core.precomposeunicode': BOOLEAN,
  'core.protecthfs': BOOLEAN,
  'core.protectntfs': BOOLEAN,
  'core.autocrlf': WORD,
  'core.eol': WORD,
  'core.safecrlf': WORD,
  'core.checkroundtripencoding': /^[\w ,.-]*$/,
  'core.logallrefupdates': WORD,
  'core.sharedrepository': WORD,
  'core.bigfilethreshold': WORD,
  'core.trustctime': BOOLEAN,
  'core.checkstat': WORD,
  'core.sparsecheckout': BOOLEAN,
  'core.sparsecheckoutcone': BOOLEAN,
  'extensions.objectformat': WORD,
  'extensions.refstorage': WORD,
  'extensions.partialclone': LINE,
  'user.name': LINE,
  'user.email': LINE,
  'merge.renames': WORD,
  'merge.renormalize': BOOLEAN,
  'merge.conflictstyle': WORD,
  'diff.renames': WORD,
  'diff.algorithm': WORD,
  'remote.*.url': ADDRESS,
  'remote.*.fetch': LINE,
  'remote.*.promisor': BOOLEAN,
  'remote.*.partialclonefilter': WORD,
  'submodule.active': LINE,
  'submodule.*.url': ADDRESS,
  'submodule.*.active': BOOLEAN,
  'url.*.insteadof': ADDRESS,
  'lfs.repositoryformatversion': WORD,
  'lfs.url': ADDRESS,
  'lfs.fetchinclude': LINE,
  'lfs.fetchexclude': LINE,
}

interface Name {
  readonly section: string
  readonly subsection: string | null
  readonly key: string
}

function splitName(name: string): Name {
  const [first, last] = [name.indexOf('.'), name.lastIndexOf('.')]
  const subsection = first === last ? null : name.slice(first + 1, last)
  return { section: name.slice(0, first).toLowerCase(), subsection, key: name.slice(last + 1).toLowerCase() }
}

const isKept = ({ name, value }: GitSetting): boolean => {
  const { section, subsection, key } = splitName(name)
  if (subsection !== null && section !== 'submodule' && !ADDRESS.test(subsection)) return false
  return KEPT[subsection === null ? `${section}.${key}` : `${section}.*.${key}`]?.test(value ?? '') ?? false
}

const REMOTE = /^(remote\..*|extensions\.partialclone)$/is

/**
 * The settings that git may use. A repository that an agent may have made gets no settings that let git fetch missing
 * objects.
 */
export const safeSettings = (settings: readonly GitSetting[], { isForeign = false } = {}): readonly GitSetting[] =>
  settings.filter((one) => isKept(one) && !(isForeign && REMOTE.test(one.name)))

/** Parses the output of `git config --list --null`. */
export function parseSettings(output: string): readonly GitSetting[] {
  return output
    .split('\0')
    .filter((one) => one !== '')
    .map((one) => {
      const at = one.indexOf('\n')
      return at === -1 ? { name: one, value: null } : { name: one.slice(0, at), value: one.slice(at + 1) }
    })
}

const quoted = (text: string): string =>
  `"${text.replace(/["\\]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t')}"`

function printSetting({ name, value }: GitSetting): string {
  const { section, subsection, key } = splitName(name)
  // In the brackets, only quotes and backslashes can be escaped. A newline is not possible in the brackets.
  const head = subsection === null ? section : `${section} "${subsection.replace(/["\\]/g, '\\$&')}"`
  return `[${head}]\n\t${key}${value === null ? '' : ` = ${quoted(value)}`}\n`
}

const printConfig = (common: string, settings: readonly GitSetting[]): string =>
  [...settings.filter(({ name }) => !name.includes('\n')), { name: 'lfs.storage', value: join(common, 'lfs') }]
    .map(printSetting)
    .join('')

/** The entries that become links even if they do not exist. Git treats a broken link as a missing file. */
const LINKED = ['HEAD', 'packed-refs', 'shallow', 'objects', 'refs', 'info', 'worktrees'] as const
/**
 * Links for these entries are created only if the entries exist. Git creates such an entry when it needs it, and a
 * broken link would prevent this.
 */
const LINKED_IF_EXISTING = ['logs', 'reftable'] as const

/** Creates or updates the directory that git uses instead of `common`. Returns the path of this directory. */
export async function makeSafeCommon(
  { home, common, isForeign }: { home: string; common: string; isForeign: boolean },
  settings: readonly GitSetting[],
): Promise<string> {
  const name = createHash('sha256')
    .update(`${isForeign ? 'foreign' : 'own'}\0${common}`)
    .digest('hex')
    .slice(0, 20)
  const folder = await enterFolder(home, 'git', name)
  for (const one of LINKED) await linkTo(join(common, one), join(folder, one))
  for (const one of LINKED_IF_EXISTING)
    if ((await stat(join(common, one)).catch(() => null)) !== null) await linkTo(join(common, one), join(folder, one))
  await writeConfig(folder, printConfig(common, settings))
  return folder
}

/** Replaces the link in one step, because another process may be using the folder at the same time. */
async function linkTo(target: string, path: string): Promise<void> {
  if ((await readlink(path).catch(() => null)) === target) return
  if ((await lstat(path).catch(() => null))?.isDirectory() === true) await rm(path, { recursive: true, force: true })
  const part = `${path}.${randomBytes(6).toString('hex')}`
  await symlink(target, part)
  await rename(part, path)
}

async function writeConfig(folder: string, text: string): Promise<void> {
  const path = join(folder, 'config')
  if ((await readIfExists(path)) !== text) await replaceFile(path, text)
}
