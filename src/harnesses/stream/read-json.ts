import { objectIn } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import type { Entry, ReadLine } from './entry.ts'

/** Reads a stream of JSON objects. Lines that are not JSON go to `prose`; without it they are ignored. */
export const readJson =
  (entriesIn: (fields: Fields) => readonly Entry[], prose: (line: string) => readonly Entry[] = () => []): ReadLine =>
  (line) => {
    const fields = objectIn(line)
    return fields === null ? prose(line) : entriesIn(fields)
  }
