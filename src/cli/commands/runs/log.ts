import { followLog } from '../../../operations/runs/follow-log.ts'
import { readLog } from '../../../operations/runs/read-log.ts'
import { readTranscript } from '../../../operations/runs/read-transcript.ts'
import { definedOnly } from '../../../util/objects.ts'
import type { LogTail } from '../../../runs/log/read-log.ts'
import { badValue, cardId, line, toggle } from '../../flags.ts'
import { printLog } from '../../output/print-log.ts'
import { printTranscript } from '../../output/print-transcript.ts'
import { defineCommand } from '../../command.ts'
import type { Flag } from '../../command.ts'

const UNITS: Readonly<Record<string, number>> = { b: 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }

/** The flag `--tail`: `200` lines, or `64k` or `2m` of text. With `--follow`, `0` prints only new output. */
const tail: Flag<LogTail> = {
  value: '<n>',
  describe: 'show the last N lines or bytes (50, 64k, 2m)',
  repeatable: false,
  read: (given) => {
    const found = /^(\d{1,12})([bkmg]?)$/i.exec(given.at(-1)?.trim() ?? '')
    if (found === null) throw badValue('use a number of lines, or a size such as 64k or 2m')
    const [, count, unit = ''] = found
    return unit === '' ? { lines: Number(count) } : { bytes: Number(count) * (UNITS[unit.toLowerCase()] ?? 1) }
  },
}

export const command = defineCommand({
  group: 'look',
  operation: readLog,
  args: { id: cardId },
  flags: {
    run: line('<run>'),
    follow: toggle('print new output until the run ends; NDJSON with --json'),
    tail,
    supervisor: toggle(),
    pretty: toggle('readable transcript (default on a terminal)'),
    raw: toggle('unformatted log'),
  },
  aliases: ['logs'],
  brief: 'Show the output of a run',
  examples: ['muster log t_4k2 --follow', 'muster log t_4k2 --run 1 --tail 50', 'muster log t_4k2 --raw | jq .'],
  run: async (cli, { id, follow, pretty, raw, run, tail: end, supervisor }) => {
    if (pretty && raw) throw badValue('use --pretty or --raw, not both')
    const asked = { task: id, supervisor, ...definedOnly({ run, tail: end }) }
    // By default, a terminal shows the transcript, and a pipe gets the log.
    if (pretty || (cli.world.terminal !== null && !cli.json && !raw))
      return printTranscript(cli, cli.follow(readTranscript, { ...asked, follow }))
    if (cli.json && !follow) return cli.answer(await cli.ask(readLog, asked), '')
    return printLog(cli, cli.follow(followLog, { ...asked, follow }), { raw })
  },
})
