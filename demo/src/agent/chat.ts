import type { ApprovalRequest, Checkpoint, ToolResult } from 'toolport'
import type { CallRecord } from '../calls.js'
import { choiceOf } from '../homes/homes.js'
import { STANDARD } from '../presets/choice.js'
import { SAMPLE_PATH, sampleProgram } from '../sample-program.js'
import type { Agent, Session } from '../session.js'
import { describe } from '../tools/describe.js'
import { createOwnTools } from '../tools/own-tools.js'
import { visibleNameText } from '../visible.js'
import { type CallCard, type CallChange, createCallCard } from './call-card.js'
import { createCallMoments } from './call-moments.js'
import { type AgentCall, type ConversationEvent, createConversation, type Ending, type TurnOptions } from './conversation.js'
import { createEndings } from './endings.js'
import { PageError } from './failures.js'
import { createPolicy, type PolicyKind, readingTools, searchingTools } from './policies.js'
import type { Prose } from './prose.js'
import { PATIENCE } from './provider-choices.js'
import { createModel } from './providers.js'
import { createRecordedModel, RECORDED_QUESTION } from './recorded.js'
import { rehearse } from './rehearsal.js'
import type { ModelSettings } from './settings.js'
import { createTranscript } from './transcript.js'

/** One conversation on one workspace: its transcript and its agent. */
export interface Chat {
  readonly element: HTMLElement
  /** Plays the recorded conversation. Never rejects. */
  play(): Promise<void>
  /** Sends a message to the model of the settings. Never rejects. */
  send(text: string, settings: ModelSettings): Promise<void>
  /** Stops the current turn, even in the middle of a call. Resolves when the turn has ended. */
  stop(): Promise<void>
  /** Continues on a copy of the workspace. `moments` maps old checkpoint ids to the copy's checkpoints. Call only when no turn runs. */
  goOn(copy: Session, moments: ReadonlyMap<string, Checkpoint>): void
  /** Stops the conversation for good and reports nothing more. */
  leave(): void
}

export interface ChatOptions {
  readonly session: Session
  readonly policy: () => PolicyKind
  /** Called when the user chooses to allow all calls. */
  readonly onAllowAll: () => void
  /** The current settings, for asking the model again. */
  readonly settings: () => ModelSettings | undefined
  readonly onSettings: () => void
  /** Called when a turn starts or ends. */
  readonly onBusy: (busy: boolean) => void
  /** Announces a text to screen readers. */
  readonly announce: (text: string) => void
  /** Called when a call starts or stops waiting for the user's approval. */
  readonly onWaits: (waiting: boolean) => void
  readonly onCall: (record: CallRecord) => Promise<void>
  /** Opens a changed file. `asked`: the user clicked, so the file is shown wherever it is. */
  readonly showChange: (path: string, asked: boolean) => void
  readonly onMoment: (checkpoint: Checkpoint) => void
  readonly onProblem: (text: string) => void
  /** Called when files changed without a tool call. */
  readonly lookAgain: () => Promise<void>
  /** Fingerprint of the tool files (`toolFilesOf`). */
  readonly toolFiles: () => string
  readonly isPath: (text: string) => boolean
  readonly relative: (path: string) => string
}

/** Delay before a silence in the middle of an answer is shown. */
const LULL_MS = 1500
/** Delay between two recorded words, milliseconds. */
const PACE = 28
const NOT_KEPT = 'its checkpoint is not kept any more'

export function createChat(options: ChatOptions): Chat {
  const { announce } = options
  let { session } = options
  const transcript = createTranscript({ isPath: options.isPath, onOpenPath: (path) => options.showChange(options.relative(path), true) })
  const endings = createEndings({ transcript, announce, onSettings: options.onSettings, goOn: again })
  const cards = new Map<string, CallCard>()
  const moments = createCallMoments()
  let reading: readonly string[] = []
  const ownTools = createOwnTools()
  let agent = createAgent(session)
  const conversation = createConversation({
    runtime: () => agent.runtime,
    offered: () => (options.policy() === 'read' ? reading.filter(isOffered) : undefined),
    onEvent,
  })
  let abort: AbortController | undefined
  /** Resolves when the last turn has ended. */
  let ended: Promise<void> = Promise.resolve()
  let current: CallCard | undefined
  let prose: Prose | undefined
  let thinking: { append(delta: string): void } | undefined
  let playing = false
  /** Milliseconds that the running call has waited for the user. */
  let waited = 0
  /** Number of calls that wait for the user. */
  let asking = 0
  let lull: ReturnType<typeof setTimeout> | undefined
  let gone = false

  function createAgent(of: Session): Agent {
    const made = of.conversing((tools) => {
      reading = readingTools(tools)
      return {
        policy: createPolicy({
          reading,
          searching: searchingTools(tools),
          isOwn: (id) => cards.has(id),
          current: options.policy,
          ask: approve,
        }),
        hooks: {
          async checkpoint({ id }) {
            const newest = (await of.checkpoints()).at(-1)
            if (newest) moments.note(id, newest)
          },
        },
      }
    })
    // Registers the built-in tools before the workspace's own tools load.
    ownTools.isOwn(made, '')
    return made
  }

  const isOffered = (name: string): boolean => agent.runtime.getModelManifest().some((entry) => entry.name === name)

  async function onEvent(event: ConversationEvent): Promise<void> {
    clearTimeout(lull)
    switch (event.type) {
      case 'asked':
        prose = thinking = undefined
        transcript.waitFor(playing ? 'Playing the recording' : 'Waiting for the model')
        break
      case 'text':
        thinking = undefined
        prose ??= transcript.addProse()
        prose.append(event.delta)
        transcript.waitFor(undefined)
        lull = setTimeout(() => transcript.waitFor('Waiting for the model to go on'), LULL_MS)
        break
      case 'reasoning':
        thinking ??= transcript.addThinking()
        thinking.append(event.delta)
        transcript.waitFor('Thinking')
        break
      case 'writing':
        prose?.settle()
        transcript.waitFor(`Writing a call of ${event.tool.slice(0, 60)}`)
        break
      case 'calls':
        transcript.waitFor(undefined)
        prose?.settle()
        for (const call of event.calls) addCard(call)
        break
      case 'running':
        current = cards.get(event.call.id)
        waited = 0
        current?.running()
        break
      case 'progress':
        cards.get(event.call.id)?.progress(event.text)
        break
      case 'done':
        await onDone(event.call, event.result, event.duration - waited)
        break
      case 'dropped':
        cards.get(event.call.id)?.drop()
        break
    }
  }

  function addCard(call: AgentCall): void {
    const about = agent.runtime.registry.get(call.tool)?.description ?? ''
    const card = createCallCard(call, {
      about: describe(about)[0]?.textContent ?? '',
      relative: options.relative,
      onOpenPath: (path) => options.showChange(path, true),
      onUndo: (change) => undo(call, change),
      onCompare: () => {
        const moment = moments.of(call.id)
        if (moment) options.onMoment(moment)
        else options.onProblem(`This is not in the timeline: ${NOT_KEPT}.`)
      },
    })
    cards.set(call.id, card)
    transcript.add(card.element)
  }

  /** Asks for approval in the card of the call. A nested call is asked about in the card of the tool that makes it. */
  async function approve({ callId, tool, input, path, command, signal }: ApprovalRequest): Promise<boolean> {
    const own = cards.get(callId)
    const card = own ?? current
    if (!card) return false
    const about = path ?? command ?? (own ? undefined : `It wants to run ${tool}: ${JSON.stringify(input)}`)
    const preview = own ? rehearse(session.workspace, { tool, input }, signal).catch(() => undefined) : Promise.resolve(undefined)
    const focused = document.activeElement
    // The Stop button receives the focus when a turn starts, so a focus there does not mean that the user has moved it.
    const withKeys = transcript.element.contains(focused) || focused?.matches('.agent-stop') === true
    const answer = card.ask(about, preview)
    transcript.follow()
    announce(`${tool} needs your approval`)
    if (withKeys) card.element.querySelector<HTMLElement>('.card-answers .button')?.focus()
    const asked = performance.now()
    options.onWaits(++asking > 0)
    const given = await untilAborted(answer, signal)
    options.onWaits(--asking > 0)
    waited += performance.now() - asked
    if (given === undefined) card.withdraw()
    if (given === 'always') options.onAllowAll()
    if (given === 'approve' || given === 'always') {
      card.running()
      return true
    }
    return false
  }

  async function onDone(call: AgentCall, result: ToolResult, duration: number): Promise<void> {
    current = undefined
    if (gone) return
    const change = await changeOf(call)
    // The user has left this workspace, so nothing shows the change.
    if (gone) return
    cards.get(call.id)?.done(result, duration, change)
    transcript.follow()
    const tool = agent.runtime.registry.get(call.tool)
    if (!tool) return
    const input = (typeof call.input === 'object' && call.input !== null ? call.input : {}) as CallRecord['input']
    const readOnly = tool.annotations?.readOnlyHint === true
    const wire = agent.runtime.toWire(result, { id: call.id, name: call.tool, input })
    await options.onCall({ preset: STANDARD, tool: call.tool, input, result, wire, readOnly, duration })
    if (gone) return
    const changed = change?.changes.filter((one) => one.kind === 'file' && one.change !== 'deleted') ?? []
    if (changed.length === 1 && changed[0]) options.showChange(changed[0].path, false)
  }

  /** The difference to the checkpoint before the call, with relative paths. Returns undefined if nothing changed. */
  async function changeOf({ id }: AgentCall): Promise<CallChange | undefined> {
    const moment = moments.of(id)
    if (!moment) return undefined
    const compared = await agent.runtime.execute({ name: 'diff_checkpoint', input: { checkpoint: moment.id } })
    const change = compared.ok ? (compared.output as unknown as CallChange) : undefined
    if (!change || change.total === 0) return undefined
    return { ...change, changes: change.changes.map((one) => ({ ...one, path: options.relative(one.path) })) }
  }

  async function undo(call: AgentCall, { changes }: CallChange): Promise<void> {
    const moment = moments.of(call.id)
    if (!moment) throw new Error(NOT_KEPT)
    const paths = changes.map(({ path }) => path)
    await session.workspace.restore(moment.id, { paths })
    const names = paths.join(', ')
    conversation.note(`The user has undone what ${call.tool} changed: ${names} ${changes.length === 1 ? 'is' : 'are'} as before that call.`)
    await options.lookAgain()
  }

  /** Runs one turn at a time; returns the current turn if one is running. */
  function turn(take: (signal: AbortSignal) => Promise<Ending>, settings: ModelSettings | undefined): Promise<void> {
    if (!abort) ended = takeTurn(take, settings)
    return ended
  }

  async function takeTurn(take: (signal: AbortSignal) => Promise<Ending>, settings: ModelSettings | undefined): Promise<void> {
    const controller = new AbortController()
    abort = controller
    options.onBusy(true)
    let ending: Ending
    try {
      // The tool list reports problems of the tool files.
      await ownTools.load(agent, options.toolFiles())
      ending = await take(controller.signal)
    } catch (error) {
      ending = controller.signal.aborted ? { reason: 'stopped' } : { reason: 'failed', error: new PageError(error) }
    }
    abort = undefined
    playing = false
    clearTimeout(lull)
    if (gone) return
    prose?.settle()
    transcript.waitFor(undefined)
    endings.tell(ending, { said: prose?.text ?? '', settings })
    options.onBusy(false)
  }

  /** Asks the model again. Returns false if a turn is running or no model is connected. */
  function again(): boolean {
    const settings = options.settings()
    if (abort) return false
    if (!settings) {
      options.onSettings()
      return false
    }
    void turn(async (signal) => conversation.goOn({ ...(await taken(settings)), signal }), settings)
    return true
  }

  const taken = async (settings: ModelSettings): Promise<Omit<TurnOptions, 'signal'>> => ({
    ...(await createModel(settings)),
    patience: settings.patience,
  })

  /** Restores the sample file to its original text before the recording plays. */
  async function layOut(): Promise<void> {
    const wanted = sampleProgram[SAMPLE_PATH]
    if (wanted === undefined) return
    const { workspace } = session
    const present = await workspace.readText(SAMPLE_PATH).catch(() => undefined)
    if (present?.text === wanted) return
    await workspace.checkpoint({ label: 'Before the recording' })
    await workspace.writeText(SAMPLE_PATH, wanted)
    transcript.addNote(`The recording is about ${SAMPLE_PATH}, which was put there as it was written for it. The timeline takes this back.`)
    await options.lookAgain()
  }

  return {
    element: transcript.element,
    async play() {
      if (abort) return
      playing = true
      transcript.addUser(RECORDED_QUESTION)
      const pace = matchMedia('(prefers-reduced-motion: reduce)').matches ? 0 : PACE
      await turn(async (signal) => {
        await layOut()
        return conversation.send(RECORDED_QUESTION, { model: createRecordedModel({ pace }), signal, patience: PATIENCE })
      }, undefined)
    },
    async send(text, settings) {
      if (abort) return
      transcript.addUser(text)
      const asked = async (signal: AbortSignal): Promise<TurnOptions> => ({ ...(await taken(settings)), signal })
      await turn((signal) => conversation.send(text, asked(signal)), settings)
    },
    stop() {
      abort?.abort()
      return ended
    },
    goOn(copy, kept) {
      session = copy
      agent = createAgent(copy)
      moments.goOn(kept)
      conversation.note('The user has moved the workspace to another storage. Its files are the same; read one again before you edit it.')
      transcript.addNote(`This goes on in “${visibleNameText(copy.name)}”, ${choiceOf(copy.home.kind).place}.`)
    },
    leave() {
      gone = true
      clearTimeout(lull)
      abort?.abort()
      transcript.dispose()
    },
  }
}

/** The answer, or undefined if the signal aborts first. */
function untilAborted<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve) => {
    const giveUp = (): void => resolve(undefined)
    if (signal.aborted) giveUp()
    signal.addEventListener('abort', giveUp, { once: true })
    void answer.then((given) => {
      signal.removeEventListener('abort', giveUp)
      resolve(given)
    })
  })
}
