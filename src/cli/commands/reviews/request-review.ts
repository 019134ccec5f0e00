import { requestReview } from '../../../operations/reviews/request-review.ts'
import { agent, cardIds, jsonObject, text } from '../../flags.ts'
import { requireOne, changeCards } from '../../change-cards.ts'
import { defineCommand } from '../../command.ts'

export const command = defineCommand({
  group: 'steer',
  operation: requestReview,
  args: { ids: cardIds },
  flags: { summary: text(), metadata: jsonObject(), reviewer: agent() },
  examples: ['muster request-review t_4k2 --reviewer critic --summary "Login works again"'],
  run: async (cli, { ids, summary, metadata, reviewer }) => {
    requireOne(ids, summary ?? metadata, 'summary')
    const handover = { summary: summary ?? null, metadata: metadata ?? null, reviewer: reviewer ?? null }
    await changeCards(cli, ids, 'Requested review of', (task, onPending) =>
      cli.ask(requestReview, { task, ...handover }, onPending),
    )
  },
})
