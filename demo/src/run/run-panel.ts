import { iconButton, textButton } from '../button.js'
import { type CallRecord, callTool } from '../calls.js'
import { h, uniqueId } from '../dom.js'
import { formatDuration } from '../format.js'
import { STANDARD } from '../presets/choice.js'
import type { Session } from '../session.js'
import { visibleName } from '../visible.js'
import { createOutputView, type OutputOptions } from './output.js'
import { splitArguments } from './words.js'

export interface RunPanel {
  /** The output below the program's file. Hidden until a file is run. */
  readonly element: HTMLElement
  /** Runs a file. `path` is relative to the workspace. Does nothing while a program runs. */
  run(path: string): Promise<void>
  /** Call when another file is opened: arguments belong to a file. */
  follow(path: string | undefined): void
  use(session: Session): void
}

export interface RunPanelOptions extends OutputOptions {
  readonly onCall: (record: CallRecord) => Promise<void>
  readonly onRunning: (running: boolean) => void
  /** Called when the user closes the panel with its button. The focused button disappears, so the caller moves the focus. */
  readonly onClose: () => void
}

const PROGRAM = /\.[cm]?[jt]s$/i
const DECLARATION = /\.d\.[cm]?ts$/i

/** Whether the file is a program that can run. */
export const isProgram = (path: string): boolean => PROGRAM.test(path) && !DECLARATION.test(path)

/** The maximum timeout of the tool. */
const TIMEOUT_MS = 300_000
const PACE_MS = 100

export function createRunPanel({ onCall, onRunning, onClose, ...options }: RunPanelOptions): RunPanel {
  const output = createOutputView(options)
  const name = h('code', { class: 'run-name' })
  const state = h('span', {})
  const facts = h('span', { class: 'result-facts' })
  const outcome = h('div', { class: 'run-outcome', role: 'status' }, state, facts)
  const stop = textButton('Stop', () => abort?.abort(), { icon: 'cross', class: 'small' })
  const close = iconButton('Close the output', 'cross', hide, { title: 'Close' })
  const args = h('input', { class: 'input', id: uniqueId('args'), autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false' })
  const stdin = h('textarea', { class: 'input', id: uniqueId('stdin'), rows: 2, spellcheck: 'false' })
  const given = h(
    'details',
    { class: 'fold run-given' },
    h(
      'summary',
      {},
      h('span', { class: 'options-title' }, 'Arguments and input'),
      h('span', { class: 'options-names' }, 'for the next run'),
    ),
    h('div', { class: 'run-fields' }, h('label', { for: args.id }, 'Arguments'), args, h('label', { for: stdin.id }, 'Input'), stdin),
  )
  const element = h(
    'section',
    { class: 'run-panel', 'aria-label': 'Program', hidden: true, on: { keydown: onKey } },
    h('div', { class: 'run-head' }, outcome, name, stop, close),
    output.element,
    given,
  )
  const kept = new Map<string, { readonly args: string; readonly stdin: string }>()
  let session: Session | undefined
  let file: string | undefined
  let abort: AbortController | undefined
  let timer: ReturnType<typeof setInterval> | undefined

  function hide(): void {
    abort?.abort()
    element.hidden = true
    onClose()
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'Escape') abort?.abort()
  }

  function setRunning(running: boolean): void {
    clearInterval(timer)
    const hadFocus = document.activeElement === stop
    stop.hidden = !running
    if (!running && hadFocus) output.element.focus()
    onRunning(running)
    if (!running) return
    const began = performance.now()
    state.className = 'pill is-running'
    state.textContent = 'running'
    facts.textContent = ''
    // Kept out of the live region, because screen readers need not announce the elapsed time.
    timer = setInterval(() => {
      name.dataset.time = formatDuration(performance.now() - began)
    }, PACE_MS)
  }

  async function run(path: string): Promise<void> {
    const own = session
    if (abort || !own) return
    follow(path)
    const mine = new AbortController()
    abort = mine
    output.clear()
    name.replaceChildren(...visibleName(path))
    element.hidden = false
    setRunning(true)
    const seen: Seen = { stdout: '', stderr: '' }
    const agent = own.agent({ choice: { name: STANDARD, about: '' } })
    const record = await callTool(agent, 'run_js_module', inputOf(path), {
      signal: mine.signal,
      onProgress: (update) => abort === mine && onProgress(update as unknown as Update, seen),
    })
    if (abort !== mine) return
    abort = undefined
    setRunning(false)
    show(record, seen)
    output.flush()
    await onCall(record)
  }

  function inputOf(path: string): Readonly<Record<string, unknown>> {
    const words = splitArguments(args.value)
    return {
      module: `./${path}`,
      ...(words.length > 0 && { args: words }),
      ...(stdin.value !== '' && { stdin: stdin.value }),
      timeout_ms: TIMEOUT_MS,
    }
  }

  function onProgress({ stream, text, truncated }: Update, seen: Seen): void {
    if (text !== undefined) {
      seen[stream] += text
      output.print(stream, text)
    } else if (truncated) output.say('… it prints more than is shown here')
  }

  function show({ result, duration }: CallRecord, seen: Seen): void {
    delete name.dataset.time
    if (!result.ok) {
      const wasStopped = result.output.status === 'aborted'
      tellEnd(wasStopped ? 'stopped' : 'failed', false, duration)
      if (!wasStopped) output.say(result.error, 'stderr')
      return
    }
    const ended = result.output as unknown as Ended
    for (const stream of ['stdout', 'stderr'] as const) {
      // Print only the rest. If the result was cut, more than that has already been printed.
      if (ended[stream].startsWith(seen[stream])) output.print(stream, ended[stream].slice(seen[stream].length))
    }
    if (ended.result !== undefined) output.say(`export default ${JSON.stringify(ended.result, null, 2)}`, 'value')
    if (ended.note) output.say(ended.note)
    if (ended.exit_code === 0 && ended.stdout + ended.stderr === '' && ended.result === undefined) output.say('It printed nothing.')
    const how = ended.timed_out ? 'timed out' : ended.aborted ? 'stopped' : `exit ${ended.exit_code}`
    tellEnd(how, ended.exit_code === 0, ended.duration_ms)
  }

  function tellEnd(how: string, isOk: boolean, ms: number): void {
    state.className = `pill ${isOk ? 'is-ok' : 'is-failed'}`
    state.textContent = how
    facts.textContent = formatDuration(ms)
  }

  function follow(path: string | undefined): void {
    if (path === file) return
    if (file !== undefined) kept.set(file, { args: args.value, stdin: stdin.value })
    file = path
    const before = path === undefined ? undefined : kept.get(path)
    args.value = before?.args ?? ''
    stdin.value = before?.stdin ?? ''
  }

  return {
    element,
    run,
    follow,
    use(next) {
      abort?.abort()
      abort = undefined
      session = next
      kept.clear()
      setRunning(false)
      element.hidden = true
    },
  }
}

type Seen = Record<'stdout' | 'stderr', string>

interface Update {
  readonly stream: 'stdout' | 'stderr'
  readonly text?: string
  readonly truncated?: true
}

interface Ended {
  readonly exit_code: number | null
  readonly stdout: string
  readonly stderr: string
  readonly result?: unknown
  readonly timed_out: boolean
  readonly aborted: boolean
  readonly note?: string
  readonly duration_ms: number
}
