import { resumeWork } from '../../operations/resume-work.ts'
import { definedOnly } from '../../util/defined-only.ts'
import { oneLine } from '../escape.ts'
import { kindWord, nameWord } from '../pause-words.ts'
import { defineVerb } from '../verb.ts'

export const verb = defineVerb({
  group: 'work',
  operation: resumeWork,
  args: { kind: kindWord, name: nameWord },
  examples: ['muster resume', 'muster resume agent coder', 'muster resume account work'],
  run: async (call, given) => {
    const resumed = await call.ask(resumeWork, definedOnly(given))
    const { kind, name, wasPaused } = resumed
    call.answer(resumed, wasPaused ? `Resumed ${kind} ${oneLine(name)}` : `${kind} ${oneLine(name)} was not paused`)
  },
})
