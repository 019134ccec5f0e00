/**
 * Fills a board with believable work, only through commands and agents. The clock of the store begins seven hours ago and
 * moves on, so that cards have ages, durations and a history.
 */
const MINUTE = 60_000
const HOUR = 60 * MINUTE

export interface SeedTools {
  /** Runs a command, and returns its JSON output. */
  readonly muster: (...argv: readonly string[]) => Promise<unknown>
  /** Sets how far the clock of the store is behind. */
  readonly setAge: (ms: number) => void
  /** Waits until no card of an agent can change on its own. */
  readonly settle: () => Promise<void>
  /** The repository of the shop. */
  readonly repository: string
}

export interface Seeded {
  readonly review: string
  readonly question: string
  readonly running: string
  /** A card in triage, for a plan. */
  readonly idea: string
  /** A card that works towards a goal. */
  readonly goal: string
  readonly series: string
}

export async function seedBoard({ muster, setAge, settle, repository }: SeedTools): Promise<Seeded> {
  const worktree = ['--workspace', `worktree:${repository}`]
  const create = async (title: string, ...flags: readonly string[]): Promise<string> =>
    ((await muster('create', title, ...flags)) as { id: string }).id
  const at = async (ageMs: number, ...make: readonly (() => Promise<unknown>)[]): Promise<void> => {
    setAge(ageMs)
    for (const each of make) await each()
    await settle()
  }
  await at(7 * HOUR, () => create('Pin the base images', '-a', 'codex', ...worktree, '--check', 'test -s Dockerfile'))
  await at(4 * HOUR, () => create('Explain refunds in the help centre', '-a', 'writer', '--label', 'docs'))
  await at(
    3 * HOUR,
    () => create('Rotate the staging keys', '-a', 'shell', '--body', 'echo rotated 4 keys', '--check', 'true'),
    () => create('Clean up expired carts', '-a', 'claude'),
  )
  await at(2 * HOUR, () => create('Compare three image formats', '-a', 'researcher'))
  let goal = ''
  await at(90 * MINUTE, async () => {
    const body = 'Every page in docs/ has a French copy in docs/fr/.'
    goal = await create('Translate the guide into French', '-a', 'claude', '--goal-max-turns', '2', '--body', body)
  })
  await at(
    HOUR,
    () => create('Migrate sessions table', '-a', 'codex', '--max-retries', '1', '--label', 'database'),
    () => create('Rename the basket events', '-a', 'claude', ...worktree, '--check', 'test -s src/events.ts'),
  )
  let running = ''
  await at(41 * MINUTE, async () => {
    running = await create(
      'Split the checkout service into quote and order',
      '-a',
      'claude',
      '--priority',
      '1',
      ...worktree,
    )
  })
  await at(24 * MINUTE, () =>
    create(
      'Cache the tax table',
      '-a',
      'claude',
      ...worktree,
      '--check',
      'test -s src/tax/cache.ts',
      '--check',
      'grep -q row61 src/tax/cache.ts',
    ),
  )
  let review = ''
  await at(18 * MINUTE, async () => {
    const body =
      'Receivers are sometimes down for minutes. Try again with growing delays, at most 8 times.\n\n- Do not retry after `410 Gone`\n- Spread retries, so that a receiver does not get all of them at once'
    const checks = [
      'test -s src/webhooks/deliver.ts',
      'grep -q MOST_MS src/webhooks/deliver.ts',
      '! grep -rn TODO src',
    ].flatMap((check) => ['--check', check])
    review = await create(
      'Retry webhooks with back-off',
      '-a',
      'claude',
      '--label',
      'payments',
      '--body',
      body,
      ...worktree,
      ...checks,
    )
  })
  let question = ''
  await at(12 * MINUTE, async () => {
    question = await create(
      'Refund flow',
      '-a',
      'claude',
      '--label',
      'payments',
      '--priority',
      '2',
      '--body',
      'Refund an order in part or as a whole.',
    )
    await create('Summarise 40 customer interviews', '-a', 'researcher')
  })
  await at(7 * MINUTE, () => create('Fix flaky inventory test', '-a', 'codex', ...worktree))
  let [idea, series] = ['', '']
  const recur = async (schedule: string, title: string, agent: string, ...flags: readonly string[]): Promise<string> =>
    ((await muster('recur', 'add', schedule, '--title', title, '-a', agent, ...flags)) as { id: string }).id
  await at(0, async () => {
    await create('Publish the release notes', '-a', 'writer', '--parent', review, '--parent', question)
    await create('Remove the old price endpoint', '-a', 'claude', '--parent', running)
    await create('Nightly dependency audit', '-a', 'codex', '--at', 'tomorrow 3:00')
    await create('Translate the e-mail templates', '-a', 'writer', '--hold', '--tenant', 'tenant-b')
    await create('환불 안내 문구를 다시 쓰기', '-a', 'writer', '--parent', question, '--label', 'docs')
    await create('Look into slow search on large catalogues', '--triage')
    idea = await create('Print packing slips in one batch', '--triage')
    series = await recur(
      'weekdays 09:00',
      'Triage the new issues of the shop',
      'claude',
      '--goal',
      '--label',
      'support',
    )
    await recur('every 4h', 'Check the feeds of the suppliers', 'researcher', '--skip-if-running')
    const monthly = await recur('0 7 1 * *', 'Report of the month', 'writer', '--tz', 'Europe/Berlin')
    await muster('recur', 'pause', monthly)
    await muster('pause', 'agent', 'tester', '--reason', 'out of quota', '--until', '+3h')
    await create('Rate-limit the login endpoint per account and per address', '-a', 'tester', '--priority', '1')
    await create('Document the webhook payloads', '-a', 'researcher')
    await create(
      'Build the container image',
      '-a',
      'shell',
      '--body',
      'echo "#12 [stage-1 4/7] RUN npm ci --omit=dev"; sleep 3600',
    )
  })
  return { review, question, running, idea, goal, series }
}
