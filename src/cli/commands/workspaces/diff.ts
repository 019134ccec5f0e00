import { diffTask } from '../../../operations/workspaces/diff-task.ts'
import { oneLine } from '../../output/escape.ts'
import { definedOnly } from '../../../util/objects.ts'
import { cardId, line, toggle } from '../../flags.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'look',
  operation: diffTask,
  args: { id: cardId },
  flags: {
    stat: { ...toggle('show only the files, with counts of added and removed lines'), field: 'patch' },
    nameOnly: { ...toggle('show only the names of the changed files'), field: 'patch' },
    file: line('<path>', 'show only the change of this file'),
    ignoreSpace: { ...toggle('ignore changes of white space'), field: 'ignoresSpace' },
  },
  without: {
    limit: 'The command lists all files.',
    context: 'The patch is for tools, which expect three lines of context.',
    from: 'The command finds the former path itself.',
    find: 'Use muster diff … | grep.',
    range: 'Each call compares the present state.',
  },
  examples: ['muster diff t_4k2', 'muster diff t_4k2 --stat', 'muster diff t_4k2 --name-only | xargs ls'],
  run: async (cli, { id, stat, nameOnly, file, ignoreSpace }) => {
    const asked = { task: id, patch: !stat && !nameOnly, ignoresSpace: ignoreSpace, ...definedOnly({ file }) }
    const found = await cli.perform(diffTask, asked)
    const names = found.files.map(({ path }) => oneLine(path))
    const shown = found.isTooLarge ? 'The change of this file is too large to show.' : (found.patch ?? '')
    const counts = found.files.map(({ added, removed }) => (added === null ? 'binary' : `+${added} −${removed ?? 0}`))
    const width = Math.max(0, ...counts.map(({ length }) => length))
    const table = names.map((name, at) => `${(counts[at] ?? '').padEnd(width)}  ${name}`)
    const text = nameOnly ? names.join('\n') : stat ? table.join('\n') : shown.replace(/\n$/, '')
    cli.content(found, text === '' ? 'No changes.' : text)
  },
})
