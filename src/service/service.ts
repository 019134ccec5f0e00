/** Installs, describes and removes the service. `service.json` in the data folder records what was created. */
import { statSync } from 'node:fs'
import { access, rm, rmdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { makePrivateFolder } from '../config/home.ts'
import { BoardError } from '../core/errors.ts'
import { makeFolders } from '../util/make-folders.ts'
import { readIfExists, replaceFile } from '../util/replace-file.ts'
import { writeFault } from '../util/system-errors.ts'
import type { ServiceDefinition, ServiceHost } from './definition.ts'
import { logFile } from './definition.ts'
import { launchd } from './launchd.ts'
import type { ServiceFile, ServiceManager, ServiceState } from './service-manager.ts'
import { systemd } from './systemd.ts'
import { MARK } from './systemd-unit.ts'

/** The record of everything that an install created. An uninstall removes exactly these things. */
interface InstallRecord {
  readonly files: readonly string[]
  /** The created folders, innermost first. */
  readonly folders: readonly string[]
  readonly commandLine: readonly string[]
  /** Whether an install wrote the files, but did not confirm that the service started with these files. */
  readonly isPending?: boolean
}

const recordFile = (home: string): string => join(home, 'service.json')

/** The service manager of this platform. Throws an error on a platform that Muster does not support. */
export function managerFor(host: ServiceHost): ServiceManager {
  if (host.platform === 'linux') return systemd(host)
  if (host.platform === 'darwin') return launchd(host)
  throw noService(`${host.platform} is not supported`)
}

const noService = (why: string): BoardError =>
  new BoardError(
    'not_supported',
    `Muster cannot run as a service here: ${why}. Start it yourself with: nohup muster up >muster.log 2>&1 &`,
  )

/** Throws an error on machines that cannot run services of a user, such as containers. */
async function requireManager(manager: ServiceManager): Promise<void> {
  const fault = await manager.fault()
  if (fault !== null) throw noService(`this machine has no ${manager.kind} for your user (${fault})`)
}

export interface Installed {
  readonly change: 'installed' | 'updated' | 'none'
  readonly files: readonly string[]
  readonly state: ServiceState
}

export async function installService(host: ServiceHost, definition: ServiceDefinition): Promise<Installed> {
  refuseTemporary(definition.commandLine)
  const manager = managerFor(host)
  await requireManager(manager)
  const files = manager.files(definition)
  await refuseForeign(files)
  const record = await readRecord(host.home)
  const isChanged = record?.isPending === true || (await Promise.all(files.map(differs))).includes(true)
  const folders = [...new Set(files.flatMap(({ path }) => missingFolders(dirname(path))))]
  await makePrivateFolder(host.home)
  const next: InstallRecord = {
    files: [...new Set([...(record?.files ?? []), ...files.map(({ path }) => path)])],
    folders: [...folders, ...(record?.folders ?? [])],
    commandLine: definition.commandLine,
  }
  // The record is written first. If this process is killed, the next install finds the record and starts the service
  // with the new files.
  await write(recordFile(host.home), { ...next, isPending: isChanged })
  // Files of an earlier install that are no longer needed are removed, such as the file with the address of a store.
  for (const path of record?.files ?? []) if (!files.some((file) => file.path === path)) await rm(path, { force: true })
  for (const file of files) await writeServiceFile(file)
  await manager.activate(isChanged)
  await write(recordFile(host.home), next)
  const change = record === null ? 'installed' : isChanged ? 'updated' : 'none'
  return { change, files: files.map(({ path }) => path), state: await manager.state() }
}

/** Throws an error if npx started the program, because npx deletes its copies of programs later. */
function refuseTemporary(commandLine: readonly string[]): void {
  const temporary = commandLine.find((part) => part.includes('/_npx/'))
  if (temporary === undefined) return
  throw new BoardError(
    'invalid_input',
    `npx keeps ${temporary} only for a while. Install Muster first: npm install -g muster-board`,
  )
}

/** Throws an error if a file to write comes from a person or another program. */
async function refuseForeign(files: readonly ServiceFile[]): Promise<void> {
  for (const { path } of files) {
    const content = await readIfExists(path)
    if (content !== null && !content.includes(MARK))
      throw new BoardError('invalid_input', `${path} exists, and Muster did not write it. Move it away first.`, {
        details: { path },
      })
  }
}

async function differs({ path, content }: ServiceFile): Promise<boolean> {
  return (await readIfExists(path)) !== content
}

async function writeServiceFile({ path, content, isSecret }: ServiceFile): Promise<void> {
  try {
    makeFolders(dirname(path))
    await replaceFile(path, content, { mode: isSecret ? 0o600 : 0o644 })
  } catch (cause) {
    throw writeFault(cause, path)
  }
}

const write = (path: string, record: InstallRecord): Promise<void> =>
  replaceFile(path, `${JSON.stringify(record, null, 2)}\n`).catch((cause: unknown) => {
    throw writeFault(cause, path)
  })

async function readRecord(home: string): Promise<InstallRecord | null> {
  const text = await readIfExists(recordFile(home))
  try {
    return text === null ? null : (JSON.parse(text) as InstallRecord)
  } catch {
    return null
  }
}

export interface ServiceStatus extends ServiceState {
  readonly manager: ServiceManager['kind']
  readonly name: string
  readonly file: string
  readonly isInstalled: boolean
  /** The problem in one sentence, and the command that fixes it. Null means that the service has no problem. */
  readonly problem: { readonly text: string; readonly fix: string } | null
}

export async function serviceStatus(host: ServiceHost): Promise<ServiceStatus> {
  const manager = managerFor(host)
  const record = await readRecord(host.home)
  const isInstalled = record !== null && (await exists(manager.file))
  const { kind, name, file } = manager
  if (!isInstalled) {
    const problem = { text: 'Muster is not installed as a service.', fix: 'muster service install' }
    return { manager: kind, name, file, isInstalled, ...NOT_RUNNING, problem }
  }
  await requireManager(manager)
  const state = await manager.state()
  return { manager: kind, name, file, isInstalled, ...state, problem: await problemOf(manager, record, state) }
}

const NOT_RUNNING = { isRunning: false, isEnabled: false, lingers: null, since: null, pid: null, failure: null }

async function problemOf(
  { startCommand }: ServiceManager,
  { commandLine }: InstallRecord,
  { isRunning, isEnabled, lingers, failure }: ServiceState,
): Promise<ServiceStatus['problem']> {
  const reinstall = 'muster service install'
  for (const part of commandLine)
    if (part.startsWith('/') && !(await exists(part)))
      return { text: `The program of the service no longer exists: ${part}.`, fix: reinstall }
  if (failure !== null) return { text: `The service ended with ${failure}.`, fix: 'muster service logs' }
  if (!isRunning) return { text: 'The service is stopped.', fix: startCommand }
  if (!isEnabled) return { text: 'The service does not start at login.', fix: reinstall }
  if (lingers !== false) return null
  return { text: 'The service ends when you log out, and does not start at boot.', fix: 'loginctl enable-linger' }
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** The files that `uninstallService` would remove. */
export async function serviceFiles(home: string): Promise<readonly string[]> {
  const record = await readRecord(home)
  if (record === null) return []
  const all = [...record.files, logFile(home), recordFile(home)]
  const found = await Promise.all(all.map(exists))
  return all.filter((_, at) => found[at])
}

/**
 * Stops the service and removes its files. Running cards continue. Returns the removed files; the list is empty if the
 * service was not installed.
 */
export async function uninstallService(host: ServiceHost): Promise<readonly string[]> {
  const record = await readRecord(host.home)
  if (record === null) return []
  const manager = managerFor(host)
  const removed = await serviceFiles(host.home)
  await manager.deactivate()
  for (const path of [...record.files, logFile(host.home)]) await rm(path, { force: true })
  await manager.forget()
  for (const folder of record.folders) await rmdir(folder).catch(() => {})
  await rm(recordFile(host.home), { force: true })
  return removed
}

/** The missing folders of a path, innermost first. */
function missingFolders(folder: string): readonly string[] {
  return isFolder(folder) ? [] : [folder, ...missingFolders(dirname(folder))]
}

const isFolder = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
