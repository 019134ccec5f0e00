import { initHome } from '../../operations/init-home.ts'
import { oneLine } from '../escape.ts'
import { welcome } from '../first-use.ts'
import { defineVerb } from '../verb.ts'

export const verb = defineVerb({
  group: 'start',
  operation: initHome,
  examples: ['muster init', 'muster init --board work'],
  without: { board: 'it is the common flag --board' },
  run: async (call) => {
    const made = await initHome.run(call.local, { board: call.options.board })
    const there = `Everything is there already, in ${oneLine(made.home)}.`
    call.answer(made, made.created ? welcome(made.home) : there)
  },
})
