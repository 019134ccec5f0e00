import { runDoctor } from '../../../operations/machine/run-doctor.ts'
import { oneLine } from '../../escape.ts'
import { EXIT } from '../../exit-codes.ts'
import { toggle } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'keep',
  operation: runDoctor,
  flags: { fix: toggle('mend what can be mended') },
  examples: ['muster doctor', 'muster doctor --fix'],
  run: async (call, { fix }) => {
    const findings = await runDoctor.run({ ...call.local, onProgress: (text) => call.notice(text) }, { fix })
    const lines = findings.map(({ message, fixed }) => `${fixed ? 'mended' : 'found '}  ${oneLine(message)}`)
    call.answer(findings, lines.length === 0 ? 'Everything is in order.' : lines.join('\n'))
    if (findings.some(({ fixed }) => !fixed)) call.exitCode = EXIT.failed
  },
})
