import { SCRIPTS, SHELLS } from '../completion/scripts.ts'
import { choiceWord } from '../flags.ts'
import { defineAside } from '../verb.ts'

export const verb = defineAside({
  group: 'more',
  operation: null,
  summary: 'Print the script that makes Tab complete verbs, flags and cards in a shell.',
  args: { shell: choiceWord(SHELLS, 'the shell') },
  examples: ['eval "$(muster completion bash)"', 'eval "$(muster completion zsh)"', 'muster completion fish | source'],
  tell: ({ shell }) => ({ value: { shell, script: SCRIPTS[shell] }, text: SCRIPTS[shell] }),
})
