/**
 * Finds the binary of the SQLite driver, starting from the folder of the program. A few known places are checked first,
 * because this is fast.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

const PACKAGE = '@photostructure/sqlite'

/** The file name of the binary beside a program that was copied without its packages (supervisor/start/library.ts). */
export const BINDING_COPY = 'sqlite.node'

export function findBinding(folder: string): string {
  const libc = process.platform === 'linux' && existsSync('/etc/alpine-release') ? 'musl' : 'glibc'
  const file = `prebuilds/${process.platform}-${process.arch}/@photostructure+sqlite.${libc}.node`
  const near = [`${folder}/../node_modules/${PACKAGE}/${file}`, `${folder}/../../${PACKAGE}/${file}`]
  const found = [`${folder}/${BINDING_COPY}`, ...near].find((path) => existsSync(path))
  return found ?? `${dirname(createRequire(`${folder}/`).resolve(`${PACKAGE}/package.json`))}/${file}`
}
