import { ROOMS } from '../rooms.mjs'
import { cell, code, table } from './markdown.ts'

export const rooms = (): string[] =>
  table(
    ['Folder', 'Contains', 'May import'],
    Object.entries(ROOMS).map(([room, { is, may }]) => [code(`src/${room}`), cell(is), may.join(', ')]),
  )
