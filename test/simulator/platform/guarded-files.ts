/** `util/guarded-files.ts` for simulated processes: there are no links on a simulated disk, and no store file. */
export { appendFile, open, readFile, readFile as readNamed, truncate, writeFile } from './fs-promises.ts'
export { openSync, readFileSync, writeFileSync } from './fs.ts'
