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
  run: async (cli, { fix }) => {
    const findings = await runDoctor.run({ ...cli.local, onProgress: (text) => cli.notice(text) }, { fix })
    const lines = findings.map(({ message, fixed }) => `${fixed ? 'mended' : 'found '}  ${oneLine(message)}`)
    cli.answer(findings, lines.length === 0 ? 'Everything is in order.' : lines.join('\n'))
    if (findings.some(({ fixed }) => !fixed)) cli.exitCode = EXIT.failed
  },
})
