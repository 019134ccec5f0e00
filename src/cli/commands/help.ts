import { listOf } from '../flags.ts'
import { defineAside } from '../verb.ts'

export const verb = defineAside({
  group: 'more',
  operation: null,
  summary: 'Say how a verb is used; without one, which there are.',
  args: { verb: { ...listOf('a verb, or the first word of several'), completes: 'verb' } },
  examples: ['muster help', 'muster help create', 'muster help boards'],
  tell: async ({ verb: words }, manifest, { terminal }) => {
    const [{ helpFor }, { helpWidth }] = await Promise.all([import('../help.ts'), import('../help-table.ts')])
    return helpFor(manifest, words, helpWidth(terminal))
  },
})
