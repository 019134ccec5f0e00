import { TOKEN_SCOPES } from '../../../core/token.ts'
import { createToken } from '../../../operations/tokens/create-token.ts'
import { oneLine } from '../../output/escape.ts'
import { defineCommand } from '../../command.ts'
import { argument, choice, filling, laterMoment } from '../../flags.ts'

export const command = defineCommand({
  group: 'more',
  operation: createToken,
  args: { name: argument('name of the program, shown in the history') },
  flags: {
    scope: choice(TOKEN_SCOPES, 'read, operate (change cards) or admin (default: read)'),
    expires: filling('expiresAt', laterMoment('when it expires, e.g. +90d (default: never)')),
  },
  examples: ['muster tokens create ci --scope operate --expires +90d', 'muster tokens create grafana'],
  run: async (cli, { name, scope = 'read', expires }) => {
    const made = await cli.ask(createToken, { name, scope, expiresAt: expires ?? null })
    cli.answer(made, made.token)
    cli.notice(
      `Created token ${oneLine(made.name)} (scope ${made.scope}). Copy it now: Muster does not show it again. To revoke it: muster tokens revoke ${made.id}`,
    )
  },
})
