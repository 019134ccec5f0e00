/**
 * Replaces, in the bundle, the package with which the SQLite driver finds its binary: that search took 3 ms of every command.
 */
import { findBinding } from '../util/find-binding.ts'

// oxlint-disable-next-line import/no-default-export -- so does the package that this stands for
export default function loadBinding(): unknown {
  const module = { exports: {} }
  process.dlopen(module, findBinding(__dirname))
  return module.exports
}
