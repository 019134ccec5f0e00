import { BoardError } from '../../core/errors.ts'
import { listPauses } from '../../operations/list-pauses.ts'
import { pauseWork } from '../../operations/pause-work.ts'
import { definedOnly } from '../../util/defined-only.ts'
import { oneLine } from '../escape.ts'
import { laterMoment, line, toggle } from '../flags.ts'
import { kindWord, nameWord } from '../pause-words.ts'
import { pauseLine, pauseTable } from '../render/pauses.ts'
import { defineVerb } from '../verb.ts'

export const verb = defineVerb({
  group: 'work',
  operation: pauseWork,
  args: { kind: kindWord, name: nameWord },
  flags: {
    reason: line(),
    until: laterMoment('when it ends by itself'),
    list: toggle('list what is paused; pause nothing'),
  },
  examples: ['muster pause', 'muster pause agent coder --reason "wrong model" --until +2h', 'muster pause --list'],
  run: async (call, { kind, name, reason = null, until = null, list }) => {
    if (list) {
      if (kind !== undefined || reason !== null || until !== null)
        throw new BoardError('invalid_input', '--list takes nothing else: it lists every pause.')
      const pauses = await call.ask(listPauses, {})
      return call.answer(pauses, pauseTable(pauses))
    }
    const paused = await call.ask(pauseWork, { ...definedOnly({ kind, name }), reason, until })
    call.answer(paused, `Paused ${pauseLine(paused)}`)
    if (!paused.known) call.notice(`No ${paused.kind} is called ${oneLine(paused.name)} on this machine.`)
    call.notice(`What runs goes on. It ends with: muster resume ${paused.kind} ${oneLine(paused.name)}`)
  },
})
