// node --import tsx --import ./scripts/sql-loader.mjs file.ts
import { register } from 'node:module'

register('./sql-hooks.mjs', import.meta.url)
