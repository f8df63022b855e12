import type { Checkpoint } from 'toolport'
import { iconButton, textButton } from '../button.js'
import type { CallRecord } from '../calls.js'
import { h, uniqueId } from '../dom.js'
import { icon } from '../icons.js'
import type { Session } from '../session.js'
import type { Chat } from './chat.js'
import { type PolicyKind, policyChoices } from './policies.js'
import { createSettingsStore, type ModelSettings } from './settings.js'
import type { SettingsDialog } from './settings-dialog.js'

export interface AgentPane {
  readonly element: HTMLElement
  /** Starts a new conversation on a workspace. */
  use(session: Session): void
  /** Stops the agent. Resolves when its turn has ended. */
  stop(): Promise<void>
  /**
   * Continues the conversation on a copy of the workspace. `moments` maps old checkpoint ids to the copy's checkpoints. Call only when no
   * turn runs.
   */
  goOn(copy: Session, moments: ReadonlyMap<string, Checkpoint>): void
  /** Whether a turn is running. */
  readonly isBusy: boolean
  dispose(): void
}

export interface AgentPaneOptions {
  /** Whether the page remembers the model settings. The API key is only stored if the user asks for that. */
  readonly remember: boolean
  /** Called after every tool call of the model. */
  readonly onCall: (record: CallRecord) => Promise<void>
  /** Opens a changed file. `asked`: the user clicked, so the file is shown wherever it is. */
  readonly showChange: (path: string, asked: boolean) => void
  /** Shows a checkpoint in the timeline. */
  readonly onMoment: (checkpoint: Checkpoint) => void
  /** Called when files changed without a tool call. */
  readonly lookAgain: () => Promise<void>
  /** Called when a call starts or stops waiting for the user's approval. */
  readonly onWaits: (waiting: boolean) => void
  readonly onProblem: (text: string) => void
  /** Fingerprint of the tool files (`toolFilesOf`). */
  readonly toolFiles: () => string
  readonly isPath: (text: string) => boolean
  readonly relative: (path: string) => string
}

const KEPT_AT = 'toolport.model'
/** Delay before a loading message appears. */
const PATIENCE_MS = 300
const LONGEST_MESSAGE = 200_000

/** Creates the pane with its empty state and message field. The chat itself loads when the first conversation starts. */
export function createAgentPane(options: AgentPaneOptions): AgentPane {
  const store = createSettingsStore(options.remember ? KEPT_AT : undefined)
  const stored = store.load()
  let settings: ModelSettings | undefined = stored && !stored.lacksKey ? stored.settings : undefined
  let keepsKey = stored?.keepsKey ?? false
  /** Stored settings without the key, if the key was not stored. */
  let draft = stored?.settings
  let session: Session | undefined
  let chat: Chat | undefined
  let dialog: SettingsDialog | undefined
  let busy = false
  /** Number of conversations that the user has left. */
  let left = 0
  /** Whether the message is sent once the user has saved the settings. */
  let waiting = false

  const modelName = h('span', { class: 'agent-model-name' })
  const modelPlace = h('span', { class: 'agent-model-place' })
  const modelButton = h(
    'button',
    {
      type: 'button',
      class: 'agent-model',
      'aria-haspopup': 'dialog',
      title: 'Which model answers',
      on: { click: () => void openSettings() },
    },
    h('span', { class: 'visually-hidden' }, 'Model: '),
    h('span', { class: 'agent-model-text' }, modelName, modelPlace),
    icon('chevron'),
  )
  const policyAbout = h('span', { class: 'visually-hidden', id: uniqueId('policy') })
  const policy = h(
    'select',
    { class: 'input agent-policy', 'aria-label': 'What the agent may do', 'aria-describedby': policyAbout.id, on: { change: showPolicy } },
    ...policyChoices.map(({ kind, label }) => h('option', { value: kind }, label)),
  )
  const anew = iconButton('New conversation', 'plus', startAnew, { hidden: true })
  const play = textButton('Play the recorded conversation', () => void begin((one) => one.play()), { icon: 'run', class: 'primary' })
  const connect = textButton('Connect a model', () => void openSettings())
  const empty = h(
    'div',
    { class: 'agent-empty' },
    h('h3', {}, 'An agent at work on these files'),
    h(
      'p',
      {},
      'A model reads, edits and runs things here with this page’s tools. You see each call and what it changed, say yes or no, stop it at any moment, and take any change back.',
    ),
    h('div', { class: 'agent-start' }, play, connect),
    h(
      'p',
      { class: 'note' },
      'The recording needs no key and no network: what the model says was written beforehand, the calls run for real, on these files. It is about examples/lines.js, and puts that into this workspace where it is not as it was written.',
    ),
  )
  const place = h('div', { class: 'agent-place' }, empty)
  const message = h('textarea', {
    class: 'input agent-message',
    rows: 2,
    placeholder: 'Ask for a change, or about these files',
    'aria-label': 'Message to the agent',
    maxlength: LONGEST_MESSAGE,
    on: { keydown: onMessageKey, input: () => grow() },
  })
  const send = h('button', { type: 'submit', class: 'button primary' }, 'Send')
  const stop = textButton('Stop', () => void chat?.stop(), { icon: 'cross', class: 'agent-stop', hidden: true, title: 'Stop (Esc)' })
  const status = h('p', { class: 'visually-hidden', role: 'status' })
  const loading = h('p', { class: 'agent-loading', hidden: true }, h('span', { class: 'spinner', 'aria-hidden': 'true' }), 'Loading…')
  const form = h('form', { class: 'agent-form', on: { submit: onSubmit } }, message, h('div', { class: 'agent-send' }, send, stop))
  const element = h(
    'section',
    { class: 'agent', 'aria-labelledby': 'agent-heading', on: { keydown: onKey } },
    h('h2', { id: 'agent-heading', class: 'visually-hidden' }, 'Agent'),
    h('div', { class: 'agent-bar' }, modelButton, policy, policyAbout, anew),
    place,
    loading,
    form,
    status,
  )
  showModel()
  showPolicy()

  function showModel(): void {
    modelName.textContent = settings?.model ?? (chat ? 'Recorded conversation' : 'No model yet')
    modelPlace.textContent = settings ? hostOf(settings.address) : chat ? 'connect a model to go on' : 'connect one, or play the recording'
    connect.textContent = settings ? 'Change the model' : 'Connect a model'
  }

  function showPolicy(): void {
    const about = policyChoices.find(({ kind }) => kind === policy.value)?.about ?? ''
    policyAbout.textContent = about
    policy.title = about
    policy.dataset.kind = policy.value
  }

  function setBusy(next: boolean): void {
    busy = next
    // The button that disappears had the focus, so its replacement takes the focus.
    const focused = document.activeElement
    send.hidden = next
    stop.hidden = !next
    element.toggleAttribute('data-busy', next)
    if (focused === send || (next && place.contains(focused))) stop.focus()
    else if (focused === stop) focusMessage()
  }

  /** On touch screens, focusing the text field would open the on-screen keyboard. */
  function focusMessage(): void {
    if (matchMedia('(pointer: coarse)').matches) send.focus()
    else message.focus()
  }

  /**
   * Awaits a lazy-loaded part and shows a message if loading takes long. Returns undefined, after reporting the problem, if loading fails.
   */
  async function load<T>(part: Promise<T>): Promise<T | undefined> {
    const timer = setTimeout(() => {
      loading.hidden = false
    }, PATIENCE_MS)
    try {
      return await part
    } catch (error) {
      options.onProblem(`This part of the page did not load: ${error instanceof Error ? error.message : String(error)}. Try again.`)
      return undefined
    } finally {
      clearTimeout(timer)
      loading.hidden = true
    }
  }

  async function begin(use: (chat: Chat) => Promise<void>): Promise<void> {
    const before = left
    const part = await load(import('./chat.js'))
    if (!part || !session || left !== before) return
    chat ??= part.createChat({
      ...options,
      session,
      policy: () => policy.value as PolicyKind,
      onAllowAll() {
        policy.value = 'allow'
        showPolicy()
      },
      settings: () => settings,
      onSettings: () => void openSettings(),
      onBusy: setBusy,
      announce: (text) => {
        status.textContent = text
      },
    })
    if (!place.contains(chat.element)) place.replaceChildren(chat.element)
    anew.hidden = false
    showModel()
    const over = use(chat)
    // The pressed button has disappeared, which dropped the focus.
    if (document.activeElement === document.body) stop.focus()
    await over
  }

  async function openSettings(): Promise<void> {
    const part = await load(import('./settings-dialog.js'))
    if (!part) return
    if (!dialog) {
      dialog = part.createSettingsDialog({ canKeep: options.remember, onSave, onForget })
      dialog.element.addEventListener('close', () => {
        waiting = false
      })
      element.append(dialog.element)
    }
    dialog.open(settings ?? draft, keepsKey)
  }

  function onSave(next: ModelSettings, keepKey: boolean): void {
    settings = draft = next
    keepsKey = keepKey
    store.save(next, keepKey)
    showModel()
    if (waiting) void submit()
    else focusMessage()
  }

  function onForget(): void {
    settings = draft = undefined
    keepsKey = false
    store.forget()
    showModel()
  }

  async function submit(): Promise<void> {
    const text = message.value.trim()
    if (busy || text === '') return
    if (!settings) {
      await openSettings()
      waiting = true
      return
    }
    const own = settings
    message.value = ''
    grow()
    await begin((one) => one.send(text, own))
  }

  function onSubmit(event: SubmitEvent): void {
    event.preventDefault()
    void submit()
  }

  function onMessageKey(event: KeyboardEvent): void {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    void submit()
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape' && busy && !dialog?.element.open) void chat?.stop()
  }

  /** Fits the field's height to its text. */
  function grow(): void {
    message.rows = Math.min(10, Math.max(2, message.value.split('\n').length))
  }

  function startAnew(): void {
    leave()
    message.focus()
  }

  /** Leaves the conversation and ignores what it still does. */
  function leave(): void {
    left += 1
    chat?.leave()
    chat = undefined
    setBusy(false)
    // The status may show a question that nobody can answer any more.
    status.textContent = ''
    place.replaceChildren(empty)
    anew.hidden = true
    showModel()
  }

  return {
    element,
    use(next) {
      leave()
      session = next
    },
    async stop() {
      await chat?.stop()
    },
    goOn(copy, moments) {
      session = copy
      chat?.goOn(copy, moments)
    },
    get isBusy() {
      return busy
    },
    dispose: leave,
  }
}

function hostOf(address: string): string {
  try {
    return new URL(address).host
  } catch {
    return address
  }
}
