/**
 * Replaces the package that finds the binary of the SQLite driver. The search of that package took 3 ms in every
 * command.
 */
import { findBinding } from '../util/find-binding.ts'

// oxlint-disable-next-line import/no-default-export -- the replaced package has a default export
export default function loadBinding(): unknown {
  const module = { exports: {} }
  process.dlopen(module, findBinding(__dirname))
  return module.exports
}
