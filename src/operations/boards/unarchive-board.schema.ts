export { input, output } from './archive-board.schema.ts'
