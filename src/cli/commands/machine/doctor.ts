import { runDoctor } from '../../../operations/machine/run-doctor.ts'
import { oneLine } from '../../output/escape.ts'
import { EXIT } from '../../output/printer.ts'
import { toggle } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'keep',
  operation: runDoctor,
  summary: 'Check the store and the data folder; with --fix, repair the problems found.',
  flags: { fix: toggle('fix what can be fixed') },
  examples: ['muster doctor', 'muster doctor --fix'],
  run: async (cli, { fix }) => {
    const findings = await cli.perform(runDoctor, { fix }, { onProgress: (text) => cli.notice(text) })
    const lines = findings.map(({ message, fixed }) => `${fixed ? 'fixed' : 'found'}  ${oneLine(message)}`)
    cli.answer(findings, lines.length === 0 ? 'No problems found.' : lines.join('\n'))
    if (findings.some(({ fixed }) => !fixed)) cli.exitCode = EXIT.failed
  },
})
