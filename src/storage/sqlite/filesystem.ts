/**
 * Refuses file systems on which SQLite's locks or shared memory do not work. A store on such a file system would
 * silently lose data.
 */
import { statfsSync } from 'node:fs'
import { dirname } from 'node:path'
import { BoardError } from '../../core/errors.ts'

const UNSUITABLE: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0x517b: 'SMB',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB',
  0x65735546: 'FUSE or virtiofs',
  0x01021997: '9p',
  0x73757245: 'Coda',
  0x5346414f: 'AFS',
  0x00c36400: 'Ceph',
  0x47504653: 'GPFS',
  0x0bd00bd0: 'Lustre',
  0xbacbacbc: 'a folder shared by VMware',
  0x786f4256: 'a folder shared by VirtualBox',
}

/** The file system type of a path, as a Linux number. */
export type FilesystemType = (path: string) => number

const realType: FilesystemType = (path) => statfsSync(path).type

export function refuseUnsuitableFilesystem(databasePath: string, typeOf: FilesystemType = realType): void {
  if (process.platform !== 'linux') return
  const name = UNSUITABLE[typeOf(dirname(databasePath)) >>> 0]
  if (name === undefined) return
  throw new BoardError(
    'filesystem_unsuitable',
    `${dirname(databasePath)} is on ${name}, where SQLite loses data: set MUSTER_HOME to a local disk, or MUSTER_STORE to a PostgreSQL server.`,
    { details: { path: databasePath, filesystem: name } },
  )
}
