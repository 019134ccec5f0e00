import { basename } from 'node:path'
import { attachFile } from '../../../operations/attachments/attach-file.ts'
import { oneLine } from '../../output/escape.ts'
import { badValue, cardId, fileArgument, filling, text } from '../../flags.ts'
import { size } from '../../render/format-values.ts'
import { defineCommand } from '../../command.ts'

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+-]+(?:\s*;[ -~]*)?$/

const mediaType = {
  ...text('<type>'),
  read: (given: readonly string[]): string => {
    const typed = given.at(-1) ?? ''
    if (!MEDIA_TYPE.test(typed)) throw badValue('use a media type such as text/plain')
    return typed
  },
}

export const command = defineCommand({
  group: 'cards',
  operation: attachFile,
  args: { id: cardId, file: fileArgument('the file, up to 25 MiB') },
  flags: { name: text('<name>'), type: filling('contentType', mediaType) },
  examples: ['muster attach t_4k2 plan.md', 'muster attach t_4k2 out.log --name "Failing run.log"'],
  run: async (cli, { id, file, name, type }) => {
    const input = { task: id, name: name ?? basename(file), contentType: type ?? null }
    const kept = await cli.send(attachFile, input, file)
    cli.answer(kept, `Attached ${oneLine(kept.filename)} (${size(kept.size)}) to ${kept.taskId}`)
    if (kept.filename !== input.name) cli.notice(`The name of the file was changed to ${oneLine(kept.filename)}.`)
  },
})
