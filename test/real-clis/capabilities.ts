/** What each real CLI must be able to do under the board, each proved by what the board and the model saw. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { proveAnswer } from './answer.ts'
import type { Arena, Played } from './arena.ts'
import type { Asked, Said } from './dialects/dialect.ts'
import { proveRefusals } from './failures.ts'
import { proveHandOver } from './hand-over.ts'
import { changesTo } from './home-files.ts'
import { proveLanding } from './landing.ts'
import { proveSkill } from './skill.ts'

const complete = (summary: string) => (): Said => ({ tool: 'kanban_complete', input: { summary } })
const say = (text: string) => (): Said => ({ text })

/** Throws, in a sentence, what is not so. */
function must(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}

export interface Capability {
  readonly name: string
  readonly prove: (arena: Arena) => Promise<void>
}

/** A card that is done without ado. */
const plain = (arena: Arena): Promise<Played> =>
  arena.scene('plain', {
    script: [complete('did it'), say('done')],
    flags: ['--body', 'The word is xylophone.'],
    isRecorded: false,
  })

/** A check fails once, and what it found is mended in the same session. */
const success = (arena: Arena): Promise<Played> =>
  arena.scene('success', {
    script: [
      () => arena.setup.shell('printf bad > out.txt'),
      complete('did it'),
      (asked: Asked) => {
        must(asked.last.includes('check failed'), 'the model was not told why its check failed')
        return arena.setup.shell('printf good > out.txt')
      },
      complete('did it well'),
      say('all done'),
    ],
    flags: ['--check', 'grep -q good out.txt', '--workspace', `dir:${arena.workspace()}`],
  })

const outcomeOf = ({ run }: Played): string => `it ended ${run.outcome}: ${run.error}`

/** The files that the story of a run tells to have changed. */
async function changesTold(arena: Arena, id: string): Promise<readonly string[]> {
  const lines = (await arena.muster('log', id, '--pretty', '--json')).split('\n').filter((line) => line !== '')
  const passages = lines.map((line) => JSON.parse(line) as { readonly kind: string; readonly path?: string })
  return passages.flatMap(({ kind, path }) => (kind === 'changed' && path !== undefined ? [path] : []))
}

export const CAPABILITIES: readonly Capability[] = [
  {
    name: 'briefing',
    prove: async (arena) => {
      const first = (await plain(arena)).asked[0]?.said ?? ''
      must(first.includes('xylophone'), 'the model was not told the body of the card')
      must(first.includes('You are a careful coder.'), 'the model was not told the instruction of its agent')
    },
  },
  {
    name: 'file',
    prove: async (arena) => {
      await success(arena)
      must(existsSync(`${arena.workspace()}/out.txt`), 'no file was written in the workspace')
    },
  },
  {
    name: 'check mended',
    prove: async (arena) => {
      const played = await success(arena)
      const { run } = played
      must(run.outcome === 'completed' && run.attempt === 1, outcomeOf(played))
      must(run.summary === 'did it well', `its summary is ${run.summary}`)
    },
  },
  {
    name: 'completed by the tool',
    prove: async (arena) => {
      const played = await plain(arena)
      must(played.card.status === 'done', `the card is ${played.card.status}: ${outcomeOf(played)}`)
      must(played.run.summary === 'did it', `its summary is ${played.run.summary}`)
      must(played.asked[1]?.last.includes('Recorded complete') === true, 'the model was not told that it is recorded')
    },
  },
  {
    name: 'usage',
    prove: async (arena) => {
      const { usage } = (await plain(arena)).run
      must((usage?.inputTokens ?? 0) >= 200, `it is said to have read ${usage?.inputTokens} tokens`)
      must((usage?.outputTokens ?? 0) >= 40, `it is said to have written ${usage?.outputTokens} tokens`)
    },
  },
  {
    name: 'resume',
    prove: async (arena) => {
      const played = await arena.scene('nudge', {
        script: [say('I am done I think'), complete('did it after nudge'), say('ok')],
        flags: ['--body', 'The word is xylophone.'],
      })
      must(played.run.outcome === 'completed', outcomeOf(played))
      const second = played.asked[1]?.said ?? ''
      must(
        second.includes('xylophone') && second.includes('I am done I think'),
        'the second turn knew nothing of the first',
      )
      const tokens = played.run.usage?.outputTokens ?? 0
      // Gemini also asks a small model which model to use, once a turn.
      const calls = arena.cli === 'gemini' ? 5 : 3
      must(
        arena.agent !== arena.cli || tokens === calls * 20,
        `${calls} model calls of 20 tokens each are reported as ${tokens}`,
      )
    },
  },
  {
    name: 'held',
    prove: async (arena) => {
      // Not among temporary files, where some sandboxes let everybody write.
      const elsewhere = mkdtempSync('/var/tmp/muster-held-')
      try {
        for (const permissions of ['read', 'edit'] as const) {
          const inside = join(arena.workspace(), permissions)
          mkdirSync(inside)
          arena.permit(permissions)
          arena.play(
            () => arena.setup.write(join(inside, 'by-tool'), 'x'),
            () => arena.setup.shell('printf x > by-shell'),
            () => arena.setup.write(join(elsewhere, 'by-tool'), 'x'),
            () => arena.setup.shell(`printf x > ${join(elsewhere, 'by-shell')}`),
            complete('tried'),
            say('done'),
          )
          const id = await arena.create('--workspace', `dir:${inside}`)
          await arena.muster('dispatch', '--wait')
          const { status } = await arena.card(id)
          must(status === 'done', `with ${permissions} it could not complete its card, which is ${status}`)
          const wrote = readdirSync(inside)
          if (permissions === 'read') must(wrote.length === 0, `with read it wrote ${wrote.join(', ')}`)
          else must(wrote.includes('by-tool'), 'with edit it could write no file of its workspace')
          const told = await changesTold(arena, id)
          must(told.length === (permissions === 'read' ? 0 : 1), `with ${permissions}, ${told.length} changes are told`)
          const beyond = readdirSync(elsewhere)
          must(beyond.length === 0, `with ${permissions} it wrote ${beyond.join(', ')} outside of its workspace`)
        }
      } finally {
        arena.permit('full')
        rmSync(elsewhere, { recursive: true })
      }
    },
  },
  {
    name: 'hand-over',
    prove: async (arena) => {
      const faults = await proveHandOver(arena)
      must(faults.length === 0, faults.join('; '))
    },
  },
  {
    name: 'answer',
    prove: async (arena) => {
      const faults = await proveAnswer(arena)
      must(faults.length === 0, faults.join('; '))
    },
  },
  {
    name: 'landing',
    prove: async (arena) => {
      const faults = await proveLanding(arena)
      must(faults.length === 0, faults.join('; '))
    },
  },
  {
    name: 'stop',
    prove: async (arena) => {
      arena.play(() => arena.setup.shell('sleep 300'), say('done'))
      const id = await arena.create()
      const over = arena.muster('dispatch', '--wait')
      await Promise.race([arena.isAsked(), over])
      must(arena.asked.length > 0, 'it never asked the model')
      const run = (await arena.card(id)).currentRunId ?? ''
      await arena.muster('stop', id)
      must(arena.living(run).length === 0, `processes ${arena.living(run).join(', ')} live on`)
      await over
      const { runs } = await arena.card(id)
      await arena.muster('archive', id)
      must(runs.at(-1)?.outcome === 'stopped', `it ended ${runs.at(-1)?.outcome}`)
    },
  },
  {
    name: 'skill',
    prove: async (arena) => {
      const fault = await proveSkill(arena)
      must(fault === '', fault)
    },
  },
  {
    name: '429 pauses',
    prove: async (arena) => {
      const played = await arena.scene(arena.setup.limit.scene, {
        script: [() => ({ status: 429, headers: arena.setup.limit.headers })],
      })
      must(played.run.outcome === 'rate_limited', outcomeOf(played))
      must((await arena.account())?.cause === 'quota', 'its account is not paused')
    },
  },
  {
    name: '401 pauses',
    prove: async (arena) => {
      const played = await arena.scene('auth', {
        script: [() => ({ status: 401, message: 'invalid x-api-key', headers: SOON })],
      })
      must(played.run.outcome === 'interrupted', outcomeOf(played))
      const account = await arena.account()
      must(account?.cause === 'auth' && account.until === null, 'its account does not wait for a person')
    },
  },
  {
    name: 'failure told',
    prove: async (arena) => {
      const played = await arena.scene('failure', {
        script: [() => ({ status: 400, message: 'the request is not valid', headers: SOON })],
        flags: ['--max-retries', '1'],
      })
      must(played.run.outcome === 'crashed', outcomeOf(played))
      must(played.run.error?.includes('the request is not valid') === true, `its error is ${played.run.error}`)
    },
  },
  {
    name: 'refusals told',
    prove: async (arena) => {
      const faults = await proveRefusals(arena)
      must(faults.length === 0, faults.join('; '))
    },
  },
  {
    name: 'events',
    prove: async (arena) => {
      const changes = arena.recorder.changes()
      must(
        changes.length === 0,
        `${changes.join('; ')}. See what that means to us, then: npm run test:agents -- --record ${arena.cli}`,
      )
    },
  },
  {
    // Last, when everything has been done to them.
    name: 'own settings',
    prove: async (arena) => {
      const changes = changesTo(arena.userFilesBefore, arena.userFiles(), Object.keys(arena.setup.state))
      must(changes.length === 0, `files of the user were changed: ${changes.join(', ')}`)
      for (const [name, content] of Object.entries(arena.setup.project ?? {}))
        must(readFileSync(`${arena.workspace()}/${name}`, 'utf8') === content, `${name} of the repository is another`)
    },
  },
]

/** OpenCode tries everything again, and waits for more than a minute in all if nobody tells it how long. */
const SOON = { 'retry-after': '1' }
