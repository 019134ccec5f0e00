/**
 * The capabilities that each real CLI must have. Each capability is proved by the requests to the model and the state
 * of the board.
 */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { proveAnswer } from './answer.ts'
import type { Testbed, FinishedRun } from './testbed.ts'
import type { ModelRequest, ModelReply } from './dialects/dialect.ts'
import { proveRefusals } from './failures.ts'
import { proveGoal } from './goal.ts'
import { proveHandOver } from './hand-over.ts'
import { changesTo } from './home-files.ts'
import { proveHttpTools } from './http-tools.ts'
import { proveLanding } from './landing.ts'
import { provePlan } from './plan.ts'
import { proveSkill } from './skill.ts'

const complete = (summary: string) => (): ModelReply => ({ tool: 'kanban_complete', input: { summary } })
const say = (text: string) => (): ModelReply => ({ text })

/** Throws the message if the condition is false. */
function must(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Error(message)
}

export interface Capability {
  readonly name: string
  readonly prove: (testbed: Testbed) => Promise<void>
}

/** Runs a card that its agent completes at once. */
const plain = (testbed: Testbed): Promise<FinishedRun> =>
  testbed.scene('plain', {
    script: [complete('did it'), say('done')],
    flags: ['--body', 'The word is xylophone.'],
    isRecorded: false,
  })

/** A check fails once, and the agent fixes the file in the same session. */
const success = (testbed: Testbed): Promise<FinishedRun> =>
  testbed.scene('success', {
    script: [
      () => testbed.setup.shell('printf bad > out.txt'),
      complete('did it'),
      (request: ModelRequest) => {
        must(request.lastMessage.includes('check failed'), 'the model did not get the reason why its check failed')
        return testbed.setup.shell('printf good > out.txt')
      },
      complete('did it well'),
      say('all done'),
    ],
    flags: ['--check', 'grep -q good out.txt', '--workspace', `dir:${testbed.workspace()}`],
  })

const outcomeOf = ({ run }: FinishedRun): string => `the run ended ${run.outcome}: ${run.error}`

/** Returns the changed files in the transcript of a run. */
async function reportedChanges(testbed: Testbed, id: string): Promise<readonly string[]> {
  const lines = (await testbed.muster('log', id, '--pretty', '--json')).split('\n').filter((line) => line !== '')
  const passages = lines.map((line) => JSON.parse(line) as { readonly kind: string; readonly path?: string })
  return passages.flatMap(({ kind, path }) => (kind === 'changed' && path !== undefined ? [path] : []))
}

export const CAPABILITIES: readonly Capability[] = [
  {
    name: 'briefing',
    prove: async (testbed) => {
      const first = (await plain(testbed)).requests[0]?.conversation ?? ''
      must(first.includes('xylophone'), 'the model did not get the body of the card')
      must(first.includes('You are a careful coder.'), 'the model did not get the instruction of its agent')
    },
  },
  {
    name: 'file',
    prove: async (testbed) => {
      await success(testbed)
      must(existsSync(`${testbed.workspace()}/out.txt`), 'no file was written in the workspace')
    },
  },
  {
    name: 'check fixed',
    prove: async (testbed) => {
      const finished = await success(testbed)
      const { run } = finished
      must(run.outcome === 'completed' && run.attempt === 1, outcomeOf(finished))
      must(run.summary === 'did it well', `its summary is ${run.summary}`)
    },
  },
  {
    name: 'completed by the tool',
    prove: async (testbed) => {
      const finished = await plain(testbed)
      must(finished.card.status === 'done', `the card is ${finished.card.status}: ${outcomeOf(finished)}`)
      must(finished.run.summary === 'did it', `its summary is ${finished.run.summary}`)
      must(
        finished.requests[1]?.lastMessage.includes('Recorded complete') === true,
        'the model did not learn that its verdict is recorded',
      )
    },
  },
  {
    name: 'usage',
    prove: async (testbed) => {
      const { usage } = (await plain(testbed)).run
      must((usage?.inputTokens ?? 0) >= 200, `it reports ${usage?.inputTokens} input tokens`)
      must((usage?.outputTokens ?? 0) >= 40, `it reports ${usage?.outputTokens} output tokens`)
    },
  },
  {
    name: 'resume',
    prove: async (testbed) => {
      const finished = await testbed.scene('nudge', {
        script: [say('I am done I think'), complete('did it after nudge'), say('ok')],
        flags: ['--body', 'The word is xylophone.'],
      })
      must(finished.run.outcome === 'completed', outcomeOf(finished))
      const second = finished.requests[1]?.conversation ?? ''
      must(
        second.includes('xylophone') && second.includes('I am done I think'),
        'the second turn does not have the conversation of the first',
      )
      const tokens = finished.run.usage?.outputTokens ?? 0
      // In each turn, Gemini CLI also asks a small model which model to use.
      const calls = testbed.cli === 'gemini' ? 5 : 3
      must(
        testbed.agent !== testbed.cli || tokens === calls * 20,
        `${calls} model calls of 20 tokens each are reported as ${tokens}`,
      )
    },
  },
  {
    name: 'goal',
    prove: async (testbed) => {
      const faults = await proveGoal(testbed)
      must(faults.length === 0, faults.join('; '))
    },
  },
  {
    name: 'sandbox',
    prove: async (testbed) => {
      // The folder is not in /tmp, because some sandboxes allow writing there.
      const elsewhere = mkdtempSync('/var/tmp/muster-sandbox-')
      try {
        for (const permissions of ['read', 'edit'] as const) {
          const inside = join(testbed.workspace(), permissions)
          mkdirSync(inside)
          testbed.permit(permissions)
          testbed.play(
            () => testbed.setup.write(join(inside, 'by-tool'), 'x'),
            () => testbed.setup.shell('printf x > by-shell'),
            () => testbed.setup.write(join(elsewhere, 'by-tool'), 'x'),
            () => testbed.setup.shell(`printf x > ${join(elsewhere, 'by-shell')}`),
            complete('tried'),
            say('done'),
          )
          const id = await testbed.create('--workspace', `dir:${inside}`)
          await testbed.muster('dispatch', '--wait')
          const { status } = await testbed.card(id)
          must(status === 'done', `with ${permissions} it could not complete its card, which is ${status}`)
          const wrote = readdirSync(inside)
          if (permissions === 'read') must(wrote.length === 0, `with read it wrote ${wrote.join(', ')}`)
          else must(wrote.includes('by-tool'), 'with edit it could not write a file in its workspace')
          const changes = await reportedChanges(testbed, id)
          must(
            changes.length === (permissions === 'read' ? 0 : 1),
            `with ${permissions}, ${changes.length} changes are reported`,
          )
          const beyond = readdirSync(elsewhere)
          must(beyond.length === 0, `with ${permissions} it wrote ${beyond.join(', ')} outside its workspace`)
        }
      } finally {
        testbed.permit('full')
        rmSync(elsewhere, { recursive: true })
      }
    },
  },
  {
    name: 'hand-over',
    prove: async (testbed) => {
      const faults = await proveHandOver(testbed)
      must(faults.length === 0, faults.join('; '))
    },
  },
  {
    name: 'answer',
    prove: async (testbed) => {
      const faults = await proveAnswer(testbed)
      must(faults.length === 0, faults.join('; '))
    },
  },
  {
    name: 'landing',
    prove: async (testbed) => {
      const faults = await proveLanding(testbed)
      must(faults.length === 0, faults.join('; '))
    },
  },
  {
    name: 'plan',
    prove: async (testbed) => {
      const faults = await provePlan(testbed)
      must(faults.length === 0, faults.join('; '))
    },
  },
  {
    name: 'stop',
    prove: async (testbed) => {
      testbed.play(() => testbed.setup.shell('sleep 300'), say('done'))
      const id = await testbed.create()
      const over = testbed.muster('dispatch', '--wait')
      await Promise.race([testbed.firstRequest(), over])
      must(testbed.requests.length > 0, 'it never asked the model')
      const run = (await testbed.card(id)).currentRunId ?? ''
      await testbed.muster('stop', id)
      must(testbed.living(run).length === 0, `processes ${testbed.living(run).join(', ')} are still alive`)
      await over
      const { runs } = await testbed.card(id)
      await testbed.muster('archive', id)
      must(runs.at(-1)?.outcome === 'stopped', `the run ended ${runs.at(-1)?.outcome}`)
    },
  },
  {
    name: 'skill',
    prove: async (testbed) => {
      const fault = await proveSkill(testbed)
      must(fault === '', fault)
    },
  },
  {
    name: 'tools over HTTP',
    prove: async (testbed) => {
      const faults = await proveHttpTools(testbed)
      must(faults.length === 0, faults.join('; '))
    },
  },
  {
    name: '429 pauses',
    prove: async (testbed) => {
      const finished = await testbed.scene(testbed.setup.limit.scene, {
        script: [() => ({ status: 429, headers: testbed.setup.limit.headers })],
      })
      must(finished.run.outcome === 'rate_limited', outcomeOf(finished))
      must((await testbed.account())?.cause === 'quota', 'its account is not paused')
    },
  },
  {
    name: '401 pauses',
    prove: async (testbed) => {
      const finished = await testbed.scene('auth', {
        script: [() => ({ status: 401, message: 'invalid x-api-key', headers: SOON })],
      })
      must(finished.run.outcome === 'interrupted', outcomeOf(finished))
      const account = await testbed.account()
      must(account?.cause === 'auth' && account.until === null, 'its account does not wait for a person')
    },
  },
  {
    name: 'failure reported',
    prove: async (testbed) => {
      const finished = await testbed.scene('failure', {
        script: [() => ({ status: 400, message: 'the request is not valid', headers: SOON })],
        flags: ['--max-retries', '1'],
      })
      must(finished.run.outcome === 'crashed', outcomeOf(finished))
      must(finished.run.error?.includes('the request is not valid') === true, `its error is ${finished.run.error}`)
    },
  },
  {
    name: 'refusals reported',
    prove: async (testbed) => {
      const faults = await proveRefusals(testbed)
      must(faults.length === 0, faults.join('; '))
    },
  },
  {
    name: 'events',
    prove: async (testbed) => {
      const changes = testbed.recorder.changes()
      must(
        changes.length === 0,
        `${changes.join('; ')}. Adapt the adapter if needed, then run: npm run test:agents -- --record ${testbed.cli}`,
      )
    },
  },
  {
    // This scene must be the last, because it checks the user's files after all other scenes.
    name: 'own settings',
    prove: async (testbed) => {
      const changes = changesTo(testbed.userFilesBefore, testbed.userFiles(), Object.keys(testbed.setup.state))
      must(changes.length === 0, `files of the user were changed: ${changes.join(', ')}`)
      for (const [name, content] of Object.entries(testbed.setup.project ?? {}))
        must(
          readFileSync(`${testbed.workspace()}/${name}`, 'utf8') === content,
          `${name} in the repository was changed`,
        )
    },
  },
]

/** A short retry time. Without it, OpenCode retries every failure for more than a minute. */
const SOON = { 'retry-after': '1' }
