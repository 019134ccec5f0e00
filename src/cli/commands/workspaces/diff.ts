import { diffTask } from '../../../operations/workspaces/diff-task.ts'
import { oneLine } from '../../output/escape.ts'
import { cardId, toggle } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: diffTask,
  args: { id: cardId },
  flags: {
    stat: { ...toggle('show only the files, with counts of added and removed lines'), field: 'patch' },
    nameOnly: { ...toggle('show only the names of the changed files'), field: 'patch' },
  },
  examples: ['muster diff t_4k2', 'muster diff t_4k2 --stat', 'muster diff t_4k2 --name-only | xargs ls'],
  run: async (cli, { id, stat, nameOnly }) => {
    const found = await diffTask.run(cli.local, { task: id, patch: !stat && !nameOnly })
    const names = found.files.map(({ path }) => oneLine(path))
    const counts = found.files.map(({ added, removed }) => (added === null ? 'binary' : `+${added} −${removed ?? 0}`))
    const width = Math.max(0, ...counts.map(({ length }) => length))
    const table = names.map((name, at) => `${(counts[at] ?? '').padEnd(width)}  ${name}`)
    const text = nameOnly ? names.join('\n') : stat ? table.join('\n') : (found.patch ?? '').replace(/\n$/, '')
    cli.answer(found, text === '' ? 'No changes.' : text)
  },
})
