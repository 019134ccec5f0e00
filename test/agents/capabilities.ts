/** What each real CLI must be able to do under the board, each proved by what the board and the model saw. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Arena } from './arena.ts'
import type { Asked, Said } from './dialects/dialect.ts'

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

const LONG_MS = 120_000

async function dispatched(arena: Arena, ...flags: readonly string[]): Promise<string> {
  const id = await arena.create(...flags)
  await arena.muster('dispatch', '--wait')
  return id
}

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
      arena.play(complete('read it'), say('done'))
      await dispatched(arena, '--body', 'The word is xylophone.')
      const first = arena.asked[0]?.said ?? ''
      must(first.includes('xylophone'), 'the model was not told the body of the card')
      must(first.includes('You are a careful coder.'), 'the model was not told the instruction of its agent')
    },
  },
  {
    name: 'file',
    prove: async (arena) => {
      arena.play(() => arena.setup.shell('printf hello > out.txt'), complete('wrote it'), say('done'))
      const id = await dispatched(arena, '--workspace', `dir:${arena.workspace()}`)
      must((await arena.card(id)).status === 'done', `the card is ${(await arena.card(id)).status}`)
      must(existsSync(`${arena.workspace()}/out.txt`), 'no file was written in the workspace')
    },
  },
  {
    name: 'check mended',
    prove: async (arena) => {
      arena.play(
        () => arena.setup.shell('printf bad > out.txt'),
        complete('first try'),
        (asked: Asked) => {
          must(asked.last.includes('check failed'), 'the model was not told why its check failed')
          return arena.setup.shell('printf good > out.txt')
        },
        complete('second try'),
        say('done'),
      )
      const id = await dispatched(arena, '--check', 'grep -q good out.txt')
      const run = await arena.lastRun(id)
      must(
        run?.outcome === 'completed' && run.attempt === 1,
        `run ${run?.attempt} ended ${run?.outcome}: ${run?.error}`,
      )
      must(run.summary === 'second try', `its summary is ${run.summary}`)
    },
  },
  {
    name: 'usage',
    prove: async (arena) => {
      arena.play(complete('cheap'), say('done'))
      const run = await arena.lastRun(await dispatched(arena))
      must((run?.usage?.inputTokens ?? 0) >= 200, `it is said to have read ${run?.usage?.inputTokens} tokens`)
      must((run?.usage?.outputTokens ?? 0) >= 40, `it is said to have written ${run?.usage?.outputTokens} tokens`)
    },
  },
  {
    name: 'resume',
    prove: async (arena) => {
      arena.play(say('I believe this is it.'), complete('asked again'), say('done'))
      const id = await dispatched(arena, '--body', 'The word is xylophone.')
      const run = await arena.lastRun(id)
      must(run?.outcome === 'completed', `it ended ${run?.outcome}: ${run?.error}`)
      const second = arena.asked[1]?.said ?? ''
      must(
        second.includes('xylophone') && second.includes('I believe this is it.'),
        'the second turn knew nothing of the first',
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
          const id = await dispatched(arena, '--workspace', `dir:${inside}`)
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
    name: 'own settings',
    prove: async (arena) => {
      must(arena.settings() === arena.settingsBefore, 'files of the user were changed')
    },
  },
  {
    name: 'stop',
    prove: async (arena) => {
      arena.play(() => arena.setup.shell('sleep 300'), say('done'))
      const id = await arena.create()
      await arena.muster('dispatch')
      const run = (await arena.card(id)).currentRunId ?? ''
      for (let waited = 0; arena.asked.length === 0 && waited < LONG_MS; waited += 100) await sleep(100)
      must(arena.asked.length > 0, 'it never asked the model')
      await arena.muster('stop', id)
      must(arena.living(run).length === 0, `processes ${arena.living(run).join(', ')} live on`)
      must((await arena.lastRun(id))?.outcome === 'stopped', `it ended ${(await arena.lastRun(id))?.outcome}`)
    },
  },
  {
    name: '429 pauses',
    prove: async (arena) => {
      arena.play(() => ({ status: 429, headers: { 'retry-after': '1' } }))
      const run = await arena.lastRun(await dispatched(arena))
      must(run?.outcome === 'rate_limited', `it ended ${run?.outcome}: ${run?.error}`)
      must((await arena.muster('dispatch', '--json')).includes(`"${arena.cli}"`), 'its account is not paused')
    },
  },
]
