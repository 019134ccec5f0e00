import { revokeToken } from '../../../operations/tokens/revoke-token.ts'
import { oneLine } from '../../output/escape.ts'
import { defineCommand } from '../../command.ts'
import { argument } from '../../flags.ts'

export const command = defineCommand({
  group: 'more',
  operation: revokeToken,
  args: { token: argument('id or name of the token') },
  examples: ['muster tokens revoke ci', 'muster tokens revoke k_0123456789'],
  run: async (cli, { token }) => {
    const revoked = await cli.ask(revokeToken, { token })
    const what = revoked.kind === 'session' ? 'Ended the session of' : 'Revoked token'
    cli.answer(revoked, `${what} ${oneLine(revoked.name)} (${revoked.id}).`)
  },
})
