import { defineOperation } from '../shared/operation.ts'
import { viewOfToken } from './views.ts'

export const listTokens = defineOperation({
  name: 'tokens list',
  kind: 'query',
  actor: 'person',
  scope: 'store',
  summary: 'List the tokens and the signed-in browsers.',
  schemas: ({ z, tokenView }) => ({ input: z.object({}), output: z.array(tokenView).readonly() }),
  run: async ({ store }) => (await store.tokens()).map(viewOfToken),
})
