import { runDoctor } from '../../operations/run-doctor.ts'
import type { ConfigureVerb } from '../commands.ts'
import { oneLine } from '../escape.ts'
import { EXIT } from '../exit-codes.ts'

export const configure: ConfigureVerb = (command, begin) => {
  command.option('--fix', 'mend what can be mended').action(async ({ fix = false }: { fix?: boolean }) => {
    const call = begin()
    const findings = await runDoctor.run(call.local, { fix })
    const lines = findings.map(({ message, fixed }) => `${fixed ? 'mended' : 'found '}  ${oneLine(message)}`)
    call.answer(findings, lines.length === 0 ? 'Everything is in order.' : lines.join('\n'))
    if (findings.some(({ fixed }) => !fixed)) call.exitCode = EXIT.failed
  })
}
