import { resolve } from 'node:path'
import { applyTemplate } from '../../../operations/templates/apply-template.ts'
import { previewTemplate } from '../../../operations/templates/preview-template.ts'
import { defineCommand } from '../../command.ts'
import type { Flag } from '../../command.ts'
import * as flag from '../../flags.ts'
import { graphText } from '../../render/templates.ts'

type Values = Readonly<Record<string, string | readonly string[]>>

/** Reads values such as `--set version=1.2`. If a variable is given several times, its values become a list. */
const values: Flag<Values> = {
  value: '<name=value>',
  describe: 'the value of a variable; repeat it for a list, or separate items with commas',
  brief: 'the value of a variable',
  repeatable: true,
  read: (given) => {
    const found = new Map<string, string[]>()
    for (const typed of given) {
      const at = typed.indexOf('=')
      if (at < 1) throw flag.badValue(`${typed} has no value: write ${typed}=…`)
      const name = typed.slice(0, at).trim()
      found.set(name, [...(found.get(name) ?? []), typed.slice(at + 1)])
    }
    return Object.fromEntries([...found].map(([name, list]) => [name, list.length === 1 ? (list[0] ?? '') : list]))
  },
}

export const command = defineCommand({
  group: 'cards',
  operation: applyTemplate,
  args: { template: flag.argument('the name of the template') },
  flags: {
    set: values,
    dryRun: flag.toggle('show the cards, and create nothing'),
    idempotencyKey: flag.line('<key>', 'create the cards only once for this key'),
  },
  without: { folder: 'The current folder.' },
  brief: 'Create the cards of a template',
  examples: ['muster apply release --set version=1.2 --dry-run', 'muster apply release --set version=1.2'],
  run: async (cli, { template, set = {}, dryRun, idempotencyKey }) => {
    // A server cannot read the folders of this machine. It uses its own templates, and those of the board's default
    // directory.
    const folder = cli.remote === null ? resolve('.') : null
    const input = { template, set, folder, idempotencyKey: idempotencyKey ?? null }
    const applied = await cli.ask(dryRun ? previewTemplate : applyTemplate, input)
    cli.answer(applied, graphText(applied))
    for (const warning of applied.warnings) cli.notice(warning)
    if (dryRun) return cli.notice('Nothing was created. To create these cards: leave out --dry-run')
    const count = applied.cards.length
    if (applied.created) cli.notice(`Created ${count} ${count === 1 ? 'card' : 'cards'}.`)
    else cli.notice('Cards with this key already exist. The first of them is shown.')
  },
})
