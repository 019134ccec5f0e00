#!/usr/bin/env node
// Replaces an agent CLI. Its first request to the model comes as long after its start as that of the fastest real CLI.
// It completes its card if the model's answer asks for that.
import { readFileSync } from 'node:fs'
import { createConnection } from 'node:net'

const START_MS = 700

const { MODEL_URL = '' } = process.env
const mcp = /"([^"]*mcp\.json)"/.exec(process.argv.find((word) => word.startsWith('mcp_servers.muster=')) ?? '')?.[1]
const { env } = JSON.parse(readFileSync(mcp ?? '', 'utf8')).mcpServers.muster
await new Promise((resolve) => setTimeout(resolve, START_MS - performance.now()))
const tools = [{ type: 'function', name: 'kanban_complete' }]
const answer = await fetch(MODEL_URL, { method: 'POST', body: JSON.stringify({ model: 'scripted', input: [], tools }) })
if (!(await answer.text()).includes('kanban_complete')) process.exit()
const socket = createConnection(env.MUSTER_SOCKET)
const input = { task: env.MUSTER_TASK, summary: 'did it' }
socket.write(`${JSON.stringify({ v: 1, id: 1, nonce: env.MUSTER_NONCE, op: 'complete', input })}\n`)
socket.on('data', () => process.exit()).on('error', () => process.exit())
