/**
 * Runs one turn with an ACP agent: initializes the agent, opens or resumes a session, sets model and effort, sends the
 * prompt and waits for the answer. Every step, and the reason for the end of the turn, is recorded when it happens.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { PROTOCOL_VERSION, RequestError, client, methods } from '@agentclientprotocol/sdk'
import type { ClientContext } from '@agentclientprotocol/sdk'
import { NOTE_PREFIX } from '../../runs/log/log-note.ts'
import { readIfExists } from '../../util/replace-file.ts'
import type { InteractiveProcess } from '../../processes/spawn.ts'
import { asList, asObject, asText } from '../../util/json-fields.ts'
import type { Fields } from '../../util/json-fields.ts'
import { agentStream } from './agent-stream.ts'
import type { AcpJob } from './acp-job.ts'
import { ClientHandler } from './client-handler.ts'
import { AUTH_REQUIRED } from './record.ts'
import type { AcpRecord, Recorder } from './record.ts'
import { settingsFor } from './settings.ts'

export interface AcpTurn {
  readonly job: AcpJob
  readonly agent: InteractiveProcess
  readonly recorder: Recorder
  /** The version of Muster that the client reports. */
  readonly version: string
  /** The signal that aborts when the run should end. */
  readonly stop: AbortSignal
  /** The last text that the agent printed outside the protocol. */
  readonly lastOutput: () => string | null
}

/** The time that a cancelled agent gets to answer. */
const CANCEL_MS = 2_000
/** The time that an agent gets to exit after its output has ended. */
const EXIT_MS = 1_000
const METHOD_NOT_FOUND = -32_601

const NO_AGENT =
  'The program is not an ACP agent: it does not know the request initialize. Check the args in its agent file.'

const NO_TOOLS =
  "The agent never started the board's tools, so it could not report its result. It may not support MCP servers from its client."

/** This error means that the agent gave no valid answer. The message is for the user. */
class NoAnswer extends Error {
  override readonly name = 'NoAnswer'
}

/** Runs the turn. Returns true if the agent ended the turn normally. */
export async function converse(turn: AcpTurn): Promise<boolean> {
  const { job, agent, recorder, stop } = turn
  const handler = new ClientHandler(job, recorder)
  const stream = agentStream(agent, {
    onUpdate: (params) => handler.update(params),
    onText: (line) => recorder.print(line),
  })
  const asIs = (params: unknown): Fields => asObject(params) ?? {}
  const connection = client({ name: 'muster' })
    .onRequest(methods.client.session.requestPermission, asIs, ({ params }) => handler.permission(params))
    .connect(stream)
  const conversation = new Conversation(turn, handler, connection.agent)
  try {
    return await Promise.race([conversation.run(), conversation.stopped(stop)])
  } catch (error) {
    if (!stop.aborted) recorder.record(await conversation.failure(error))
    return false
  } finally {
    connection.close()
  }
}

class Conversation {
  readonly #turn: AcpTurn
  readonly #handler: ClientHandler
  readonly #agent: ClientContext
  #during = 'initialize'
  #session: string | null = null
  #logIns: readonly string[] = []
  #isOver = false

  constructor(turn: AcpTurn, handler: ClientHandler, agent: ClientContext) {
    this.#turn = turn
    this.#handler = handler
    this.#agent = agent
  }

  async run(): Promise<boolean> {
    const { job, recorder } = this.#turn
    const ownerBefore = await readIfExists(job.holder)
    await this.#configure(await this.#open(await this.#greet()))
    const text = await this.#prompt()
    this.#handler.begin({ isNew: this.#session !== job.session })
    const prompt = { sessionId: this.#session, prompt: [{ type: 'text', text }] }
    const answer = await this.#ask(methods.agent.session.prompt, prompt, null)
    this.#isOver = true
    recorder.record({ acp: 'ended', costUsd: this.#handler.costUsd, answer })
    if (answer['stopReason'] !== 'end_turn') return false
    if ((await readIfExists(job.holder)) === ownerBefore) recorder.record({ acp: 'no_tools', message: NO_TOOLS })
    return true
  }

  /** Initializes the connection and returns the agent's capabilities. */
  async #greet(): Promise<Fields> {
    const answer = await this.#ask(methods.agent.initialize, {
      protocolVersion: PROTOCOL_VERSION,
      // The client offers no file access and no terminal, because the agent uses the disk and starts programs itself.
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
      clientInfo: { name: 'muster', title: 'Muster', version: this.#turn.version },
    })
    this.#turn.recorder.record({ acp: 'agent', answer })
    this.#logIns = asList(answer['authMethods']).flatMap((one) => asText(asObject(one)?.['name']) ?? [])
    const { protocolVersion: version } = answer
    if (version !== PROTOCOL_VERSION)
      throw new NoAnswer(
        `The agent uses version ${JSON.stringify(version)} of the protocol; Muster supports version ${PROTOCOL_VERSION}.`,
      )
    return asObject(answer['agentCapabilities']) ?? {}
  }

  /** Opens the session of the previous turn. If the agent cannot resume this session, opens a new session. */
  async #open(capabilities: Fields): Promise<Fields> {
    const { job, recorder } = this.#turn
    if (job.session === null) return this.#enter(capabilities, null)
    try {
      return await this.#enter(capabilities, job.session)
    } catch (error) {
      if (!(error instanceof RequestError) || error.code === AUTH_REQUIRED) throw error
      const text = `The agent cannot resume its session and starts a new one: ${messageOf(error)}`
      recorder.record({ acp: 'note', text })
      return this.#enter(capabilities, null)
    }
  }

  async #enter(capabilities: Fields, session: string | null): Promise<Fields> {
    const { job, recorder } = this.#turn
    const { resume } = asObject(capabilities['sessionCapabilities']) ?? {}
    const isKept = capabilities['loadSession'] === true || resume != null
    const { new: create, load, resume: resumeMethod } = methods.agent.session
    const by = session === null ? create : resume == null ? load : resumeMethod
    const answer = await this.#ask(by, {
      cwd: job.workspace,
      mcpServers: [{ name: 'muster', ...job.tools, env: [] }],
      ...(session === null ? {} : { sessionId: session }),
    })
    const id = session ?? asText(answer['sessionId'])
    if (id === null) throw new NoAnswer('The agent opened a session but gave it no id.')
    this.#session = id
    recorder.record({ acp: 'session', id, isKept, by, answer })
    if (by === load) await this.#handler.historyEnd()
    return answer
  }

  /** Sends the prompt. A new session needs the briefing again before the message. */
  async #prompt(): Promise<string> {
    const { briefing, message, session } = this.#turn.job
    const text = message === null ? null : await readIfExists(message)
    if (text !== null && this.#session === session) return text
    const all = (await readIfExists(briefing)) ?? ''
    return text === null ? all : `${all}\n\n${text}`
  }

  /** Sets the model and effort. A setting that the agent does not accept is logged, and the turn continues. */
  async #configure(answer: Fields): Promise<void> {
    const { job, recorder } = this.#turn
    for (const setting of settingsFor(answer, job)) {
      const note = 'missing' in setting ? setting.missing : await this.#set(setting.method, setting.params)
      if (note !== null) recorder.record({ acp: 'note', text: note })
    }
  }

  async #set(method: string, params: Fields): Promise<string | null> {
    try {
      await this.#ask(method, { sessionId: this.#session, ...params })
      return null
    } catch (error) {
      if (!(error instanceof RequestError)) throw error
      return `The agent did not accept ${JSON.stringify(params)}: ${error.message}.`
    }
  }

  async #ask(method: string, params: Fields, withinMs: number | null = this.#turn.job.sessionWaitMs): Promise<Fields> {
    this.#during = method
    const answered = this.#agent.request<unknown, Fields>(method, params)
    const answer = withinMs === null ? await answered : await within(withinMs, method, answered)
    return asObject(answer) ?? {}
  }

  /** Resolves to false some time after the agent was cancelled, so that the agent can still answer. */
  stopped(stop: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (): void => {
        if (this.#isOver) return
        this.#turn.recorder.print(`${NOTE_PREFIX}the turn was ended before the agent answered ${this.#during}`)
        const isAtWork = this.#during === methods.agent.session.prompt
        if (isAtWork)
          void this.#agent.notify(methods.agent.session.cancel, { sessionId: this.#session ?? '' }).catch(() => {})
        setTimeout(() => resolve(false), isAtWork ? CANCEL_MS : 0).unref()
      }
      if (stop.aborted) end()
      else stop.addEventListener('abort', end, { once: true })
    })
  }

  async failure(error: unknown): Promise<AcpRecord> {
    this.#isOver = true
    const during = this.#during
    if (error instanceof NoAnswer) return { acp: 'failed', during, message: this.#withOutput(error.message) }
    if (!(error instanceof RequestError)) return { acp: 'failed', during, message: await this.#end(error) }
    const { code, data } = error
    const isNoAgent = code === METHOD_NOT_FOUND && during === methods.agent.initialize
    const message = isNoAgent ? this.#withOutput(NO_AGENT) : messageOf(error)
    const details = data === undefined ? {} : { data }
    if (code !== AUTH_REQUIRED || this.#logIns.length === 0) return { acp: 'failed', during, message, code, ...details }
    const withLogIns = `${message} (${this.#logIns.join(', ')}): log in to the agent yourself.`
    return { acp: 'failed', during, message: withLogIns, code, ...details }
  }

  async #end(error: unknown): Promise<string> {
    const { agent } = this.#turn
    const exit = await Promise.race([agent.exited, sleep(EXIT_MS, null, { ref: false })])
    const how = exit === null ? 'closed its output' : `ended (${exit.signal ?? `exit ${exit.code}`})`
    const isOurs = exit === null && error instanceof Error && !/connection closed/i.test(error.message)
    return this.#withOutput(
      isOurs
        ? `The connection to the agent failed: ${error.message}.`
        : `The agent ${how} before it answered ${this.#during}.${argsHint(this.#during)}`,
    )
  }

  #withOutput(sentence: string): string {
    const output = this.#turn.lastOutput()
    return output === null ? sentence : `${sentence} It printed: ${output}`
  }
}

/** A hint for the user if the program did not answer the first request. */
const argsHint = (during: string): string =>
  during === methods.agent.initialize ? ' It may not be an ACP agent: check the args in its agent file.' : ''

function within<T>(ms: number, method: string, answered: Promise<T>): Promise<T> {
  const late = new NoAnswer(`The agent did not answer ${method} within ${ms / 1000} s.${argsHint(method)}`)
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late), ms)
    answered.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Agents built on the SDK put the cause into the details of an internal error. */
const messageOf = ({ message, data }: RequestError): string =>
  [message, asText(asObject(data)?.['details'])].filter((text) => text !== null).join(': ')
