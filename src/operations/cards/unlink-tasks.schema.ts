export { input, output } from './link-tasks.schema.ts'
