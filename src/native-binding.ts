/**
 * Stands in the bundle for the package with which the SQLite driver looks for its binary: searching folders and reading
 * package files took 3 ms of every command, and the places where it can be are few.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname } from 'node:path'

const PACKAGE = '@photostructure/sqlite'

// oxlint-disable-next-line import/no-default-export -- so does the package that this stands for
export default function loadBinding(): unknown {
  const module = { exports: {} }
  process.dlopen(module, bindingPath())
  return module.exports
}

function bindingPath(): string {
  const libc = process.platform === 'linux' && existsSync('/etc/alpine-release') ? 'musl' : 'glibc'
  const file = `prebuilds/${process.platform}-${process.arch}/@photostructure+sqlite.${libc}.node`
  const near = [`${__dirname}/../node_modules/${PACKAGE}`, `${__dirname}/../../${PACKAGE}`]
  const found = near.map((folder) => `${folder}/${file}`).find((path) => existsSync(path))
  return found ?? `${dirname(createRequire(`${__dirname}/`).resolve(`${PACKAGE}/package.json`))}/${file}`
}
