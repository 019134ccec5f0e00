import { initHome } from '../../operations/init-home.ts'
import type { ConfigureVerb } from '../commands.ts'
import { oneLine } from '../escape.ts'
import { welcome } from '../first-use.ts'

export const configure: ConfigureVerb = (command, begin) => {
  command.action(async () => {
    const call = begin()
    const made = await initHome.run(call.local, { board: call.local.options.board })
    call.answer(
      made,
      made.created ? welcome(made.home, 'init') : `Everything is there already, in ${oneLine(made.home)}.`,
    )
  })
}
