#!/usr/bin/env node
// Stands in for Claude Code and Codex on the board of the screenshots. It finds the title of its card in the briefing, and
// does what `plays.mjs` says: it writes files, prints its steps in the format of the program, and reports a result.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { PLAYS } from './plays.mjs'

const isCodex = basename(process.argv[1] ?? '') === 'codex'
if (process.argv.includes('--version')) {
  console.log(isCodex ? 'codex-cli 0.46.0' : '2.1.197 (Claude Code)')
  process.exit(0)
}

const briefing = readFileSync(0, 'utf8')
// The title of the card is above the titles of other cards.
const [found] = Object.entries(PLAYS)
  .filter(([title]) => briefing.includes(title))
  .toSorted(([one], [other]) => briefing.indexOf(one) - briefing.indexOf(other))
if (found === undefined) throw new Error('no play for this card')
const [, play] = found

const print = (/** @type {object} */ value) => console.log(JSON.stringify(value))
let id = 0

/** @type {Record<string, (text: string, output: string, ok: boolean) => void>} */
const FORMAT = isCodex
  ? {
      begin: () => print({ type: 'thread.started', thread_id: 'a3c1' }),
      say: (text) => print({ type: 'item.completed', item: { id: `i${id++}`, type: 'agent_message', text } }),
      run: (command, output, ok) => {
        const item = { id: `i${id++}`, type: 'command_execution', command }
        print({
          type: 'item.started',
          item: { ...item, aggregated_output: '', exit_code: null, status: 'in_progress' },
        })
        if (output !== '')
          print({
            type: 'item.completed',
            item: { ...item, aggregated_output: output, exit_code: ok ? 0 : 1, status: ok ? 'completed' : 'failed' },
          })
      },
      end: () => print({ type: 'turn.completed', usage: { input_tokens: 41_200, output_tokens: 2_310 } }),
    }
  : {
      begin: () => print({ type: 'system', subtype: 'init', session_id: 'a3c1', model: 'claude-sonnet-4-5' }),
      say: (text) => print({ type: 'assistant', message: { content: [{ type: 'text', text }] } }),
      run: (command, output, ok) => {
        id += 1
        const use = { type: 'tool_use', id: `t${id}`, name: 'Bash', input: { command } }
        print({ type: 'assistant', message: { content: [use] } })
        if (output === '') return
        const result = { type: 'tool_result', tool_use_id: `t${id}`, content: output, ...(!ok && { is_error: true }) }
        print({ type: 'user', message: { content: [result] } })
      },
      end: () =>
        print({
          type: 'result',
          subtype: 'success',
          is_error: false,
          num_turns: id,
          result: play.result?.summary ?? '',
          session_id: 'a3c1',
          total_cost_usd: play.cost ?? 0.2,
          usage: { input_tokens: 48_210, output_tokens: 1_934 },
        }),
    }

FORMAT.begin?.('', '', true)
for (const step of play.steps ?? []) {
  if (step.say !== undefined) FORMAT.say?.(step.say, '', true)
  if (step.run !== undefined) FORMAT.run?.(step.run, step.output ?? '', step.ok ?? true)
  if (step.board !== undefined) spawnSync('muster', step.board, { stdio: ['ignore', 'ignore', 'inherit'] })
  if (step.file !== undefined) {
    mkdirSync(dirname(step.file), { recursive: true })
    writeFileSync(step.file, step.text ?? '')
    if (!isCodex) {
      id += 1
      const use = { type: 'tool_use', id: `t${id}`, name: 'Write', input: { file_path: step.file, content: step.text } }
      print({ type: 'assistant', message: { content: [use] } })
      const result = { type: 'tool_result', tool_use_id: `t${id}`, content: `The file ${step.file} has been written.` }
      print({ type: 'user', message: { content: [result] } })
    }
  }
}
if (play.waits === true) await sleep(2 ** 31 - 1)
if (play.exit !== undefined) {
  console.error(play.error ?? '')
  process.exit(play.exit)
}
FORMAT.end?.('', '', true)
if (play.result !== undefined) writeFileSync('RESULT.json', JSON.stringify(play.result))
