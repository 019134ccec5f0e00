import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MUTATIONS, RUN_MUTATIONS } from '../../scripts/mutations.ts'

const ROOT = join(import.meta.dirname, '../..')

test.each([...MUTATIONS, ...RUN_MUTATIONS])('the mutation matches one place in the source: $name', ({ file, find }) => {
  expect(readFileSync(join(ROOT, file), 'utf8').split(find)).toHaveLength(2)
})
