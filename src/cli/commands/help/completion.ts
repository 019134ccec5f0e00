import { SCRIPTS, SHELLS } from '../../completion/scripts.ts'
import { choiceArgument } from '../../flags.ts'
import { defineStandaloneCommand } from '../../command.ts'

export const command = defineStandaloneCommand({
  name: 'completion',
  group: 'more',
  operation: null,
  summary: 'Print the completion script for a shell.',
  args: { shell: choiceArgument(SHELLS, 'the shell') },
  examples: ['eval "$(muster completion bash)"', 'eval "$(muster completion zsh)"', 'muster completion fish | source'],
  output: ({ shell }) => ({ value: { shell, script: SCRIPTS[shell] }, text: SCRIPTS[shell] }),
})
