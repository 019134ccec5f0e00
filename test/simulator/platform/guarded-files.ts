/** Replaces `util/guarded-files.ts` for simulated processes. A simulated disk has no links and no store file. */
export { appendFile, open, readFile, readFile as readNamed, truncate, writeFile } from './fs-promises.ts'
export { openSync, readFileSync, writeFileSync } from './fs.ts'
