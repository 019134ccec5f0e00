// What the stand-in agent does for each card of the board of the screenshots, by the title of the card.

/**
 * @typedef {{ say?: string, run?: string, output?: string, ok?: boolean, file?: string, text?: string, board?: string[] }} Step
 * @typedef {{ steps?: Step[], cost?: number, waits?: boolean, exit?: number, error?: string, result?: Record<string, string> }} Play
 */

const lines = (/** @type {number} */ count, /** @type {(at: number) => string} */ line) =>
  Array.from({ length: count }, (_, at) => line(at + 1)).join('\n') + '\n'

const done = (/** @type {string} */ summary) => ({ verdict: 'complete', summary })

const BACKOFF = `/** Delivers a webhook, and tries again with growing delays if the receiver fails. */
import { setTimeout as sleep } from 'node:timers/promises'
import { send } from './send.ts'

const FIRST_MS = 1_000
const MOST_MS = 15 * 60_000
const ATTEMPTS = 8

export async function deliver(webhook, now = Date.now) {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    const answer = await send(webhook)
    if (answer.ok) return { delivered: true, attempt, at: now() }
    if (answer.status === 410) return { delivered: false, attempt, gone: true }
    await sleep(delayMs(attempt))
  }
  return { delivered: false, attempt: ATTEMPTS }
}

/** Random delays keep receivers from getting all retries at the same moment. */
export const delayMs = (attempt, random = Math.random) =>
  Math.min(MOST_MS, FIRST_MS * 2 ** (attempt - 1)) * (0.5 + random() / 2)
`

/** @type {Record<string, Play>} */
export const PLAYS = {
  'Rename the basket events': {
    cost: 0.19,
    steps: [{ file: 'src/events.ts', text: lines(24, (at) => `export const event${at} = 'basket.${at}'`) }],
    result: done('All basket events have the new names; the old ones still work for a release.'),
  },
  'Compare three image formats': {
    cost: 0.54,
    steps: [{ file: 'report.md', text: '# Image formats\n\nAVIF is 34 % smaller than WebP on our product photos.\n' }],
    result: done('AVIF is 34 % smaller than WebP on 200 product photos. report.md has the numbers.'),
  },
  'Explain refunds in the help centre': {
    cost: 0.22,
    steps: [{ file: 'help/refunds.md', text: lines(18, (at) => `Paragraph ${at} about refunds.`) }],
    result: done('The help centre has a page about refunds in plain words.'),
  },
  'Pin the base images': {
    cost: 0.08,
    steps: [{ file: 'Dockerfile', text: lines(12, (at) => `FROM node:22.${at}-slim AS stage${at}`) }],
    result: done('Every base image is pinned by digest.'),
  },
  'Cache the tax table': {
    cost: 0.38,
    steps: [
      { say: 'The tax table is read from the database for every order. I keep it in memory for ten minutes.' },
      { file: 'src/tax/cache.ts', text: lines(61, (at) => `export const row${at} = ${at}`) },
      { run: 'npm test -- tax', output: '18 passed' },
    ],
    result: done('The tax table is cached for ten minutes. Placing an order takes 40 ms less.'),
  },
  'Retry webhooks with back-off': {
    cost: 0.77,
    steps: [
      { say: 'I read how webhooks are sent today, then I add retries.' },
      {
        run: 'rg -n "send\\(" src',
        output:
          'src/webhooks/send.ts:4:export async function send(webhook) {\nsrc/orders/place.ts:31:  await send(webhook)',
      },
      { file: 'src/webhooks/deliver.ts', text: BACKOFF },
      {
        file: 'src/webhooks/deliver.test.ts',
        text: lines(40, (at) => `test('attempt ${at} waits longer than the one before', () => {})`),
      },
      {
        run: 'npm test -- webhooks',
        output: '  1 of 41 failed: delayMs › stays below 15 min\n  expected 1024000 to be at most 900000',
        ok: false,
      },
      { say: 'The delay had no upper limit. I cap it at 15 minutes and add a random part.' },
      { run: 'npm test -- webhooks', output: '  41 passed (1.2 s)' },
      { file: 'docs/webhooks.md', text: lines(22, (at) => `Step ${at} of a delivery.`) },
    ],
    result: {
      verdict: 'request_review',
      summary:
        'Failed webhooks are retried up to 8 times with growing, random delays. A receiver that answers 410 gets no more.',
    },
  },
  'Refund flow': {
    cost: 0.42,
    steps: [
      { say: 'Orders may mix two currencies. The ledger has one column for the currency of a refund.' },
      { run: 'rg -n currency src/ledger', output: 'src/ledger/entry.ts:12:  readonly currency: Currency' },
    ],
    result: {
      verdict: 'block',
      reason: 'Which currency do refunds use when the order mixes two?',
      kind: 'needs_input',
    },
  },
  'Migrate sessions table': {
    steps: [{ run: 'npm run migrate', output: 'error: column "expires_at" contains null values', ok: false }],
    exit: 3,
    error: 'migration 0042 failed: column "expires_at" contains null values',
  },
  'Clean up expired carts': {
    cost: 0.11,
    steps: [
      {
        board: [
          'create',
          'Delete expired carts nightly',
          '--assignee',
          'shell',
          '--priority',
          '2',
          '--body',
          'psql "$DATABASE_URL" -c "delete from cart where updated_at < now() - interval \'30 days\'"',
        ],
      },
    ],
    result: done('A nightly script deletes carts after 30 days. Its command waits for an approval.'),
  },
  'Translate the guide into French': {
    cost: 0.31,
    steps: [{ file: 'docs/fr/start.md', text: lines(14, (at) => `Paragraphe ${at}.`) }],
    result: done('The guide has French copies.'),
  },
  'Split the checkout service into quote and order': {
    waits: true,
    steps: [
      { say: 'The checkout service computes prices and places orders. I split it along that line.' },
      { run: 'rg -c handler src/checkout', output: 'src/checkout/index.ts:11' },
      { file: 'src/order/place.ts', text: lines(30, (at) => `export const handler${at} = () => {}`) },
      { run: 'Edit src/order/place.ts · moving 3 handlers' },
    ],
  },
  'Fix flaky inventory test': {
    waits: true,
    steps: [{ say: 'The test depends on the order of two timers.' }, { run: 'npm test -- inventory' }],
  },
  'Summarise 40 customer interviews': {
    waits: true,
    steps: [{ say: 'Reading interview 12 of 40: delivery dates are the most frequent complaint.' }],
  },
}
