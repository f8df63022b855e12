import { type ToolResult, toModelText } from 'toolport'
import { textButton } from '../button.js'
import { outcomeOf, summaryOf } from '../calls.js'
import { h } from '../dom.js'
import { formatDuration, plural } from '../format.js'
import { type IconName, icon } from '../icons.js'
import { type After, whenLong } from '../pace.js'
import { counts } from '../patch/render-file.js'
import { hasDiff, renderDiff } from '../result/diff.js'
import { renderModelView } from '../result/model-view.js'
import { visible, visibleName, visibleText } from '../visible.js'
import type { AgentCall } from './conversation.js'

type State = 'waiting' | 'asking' | 'running' | 'done' | 'failed' | 'denied' | 'stopped' | 'dropped'

const STATES: Readonly<Record<State, { readonly word: string; readonly icon?: IconName }>> = {
  waiting: { word: 'waiting' },
  asking: { word: 'needs approval' },
  running: { word: 'running' },
  done: { word: 'done', icon: 'check' },
  failed: { word: 'failed', icon: 'cross' },
  denied: { word: 'denied', icon: 'cross' },
  stopped: { word: 'stopped', icon: 'cross' },
  dropped: { word: 'not run', icon: 'cross' },
}

/** What a call changed, as reported by `diff_checkpoint`. */
export interface CallChange {
  readonly changes: readonly { readonly path: string; readonly change: string; readonly kind: string }[]
  /** Total number of changes; larger than `changes.length` if the list was cut. */
  readonly total: number
  readonly diff?: string
}

export type Answer = 'approve' | 'always' | 'deny'

export interface CallCard {
  readonly element: HTMLElement
  /**
   * Asks the user to approve the call. `about`: the subject of the question, if it is not the call itself. `always`: whether to offer
   * "always allow".
   */
  ask(about: string | undefined, preview: Promise<string | undefined>, always?: boolean): Promise<Answer>
  /** Removes the question, because the call no longer waits for an answer. */
  withdraw(): void
  running(): void
  /** Shows the output so far. */
  progress(text: string): void
  done(result: ToolResult, duration: number, change: CallChange | undefined): void
  /** Marks the call as not run or, if the call had started, as ended with an unknown outcome. */
  drop(): void
}

export interface CallCardOptions {
  /** Description of the tool. */
  readonly about: string
  readonly relative: (path: string) => string
  readonly onOpenPath: (path: string) => void
  /** Restores the files. Rejects with the message to show. */
  readonly onUndo: (change: CallChange) => Promise<void>
  /** Compares with the checkpoint before the call. */
  readonly onCompare: () => void
  /** Timer that reports a slow undo. Default: the browser's timer. */
  readonly after?: After
}

/** Delay before a call shows that it is running. */
const PATIENCE_MS = 300
/** Key presses within this time after a question appears are ignored: the user did not mean the question. */
const TO_READ_MS = 400
const SHOWN_OUTPUT = 4000
const SHOWN_INPUT = 20_000
const SHOWN_FILES = 8
/** Tools whose output is shown on the card. */
const TALKING = /^(?:bash|run_js|run_js_module|read_background_|install_js_packages)/

/** Creates the card of one tool call: the call, its result and its changes. */
export function createCallCard(call: AgentCall, options: CallCardOptions): CallCard {
  const input = (typeof call.input === 'object' && call.input !== null ? call.input : {}) as Readonly<Record<string, unknown>>
  const toolName = call.tool.slice(0, 80)
  const mark = h('span', { class: 'card-mark', 'aria-hidden': 'true' })
  const facts = h('span', { class: 'card-facts' })
  const word = h('span', { class: 'card-state' })
  const head = h(
    'summary',
    { class: 'card-head', title: 'Its input, and what the model reads of it' },
    mark,
    h('code', { class: 'card-tool' }, ...visible(toolName)),
    h('span', { class: 'card-summary' }, ...visible(options.relative(summaryOf({ input })))),
    facts,
    word,
    icon('chevron'),
  )
  const body = h('div', { class: 'card-body' })
  const raw = h('details', { class: 'card-raw' }, head)
  const element = h('article', { class: 'call-card', tabindex: -1 }, raw, body)
  let state: State = 'waiting'
  let result: ToolResult | undefined
  let timer: ReturnType<typeof setInterval> | undefined
  let answer: ((given: Answer) => void) | undefined
  let isRefused = false
  /** The element that shows what the question is about. */
  let subject: HTMLElement | undefined
  raw.addEventListener('toggle', () => {
    raw.querySelector('.card-raw-body')?.remove()
    if (raw.open) raw.append(rawBody())
  })
  become('waiting')

  function become(next: State, told = STATES[next].word): void {
    state = next
    element.className = `call-card is-${next}`
    const { icon: name } = STATES[next]
    word.textContent = told
    element.setAttribute('aria-label', `Call ${visibleText(toolName)}, ${told}`)
    mark.replaceChildren(...(name ? [icon(name)] : []))
    clearInterval(timer)
  }

  function rawBody(): HTMLElement {
    const text = typeof call.input === 'string' ? call.input : (JSON.stringify(call.input, null, 2) ?? '')
    return h(
      'div',
      { class: 'card-raw-body', tabindex: 0, role: 'group', 'aria-label': 'Input and output' },
      options.about ? h('p', { class: 'note' }, ...visible(options.about)) : null,
      h('p', { class: 'card-raw-title' }, 'Input'),
      h('pre', {}, ...visible(cut(text, SHOWN_INPUT))),
      h('p', { class: 'card-raw-title' }, 'What the model reads'),
      result ? renderModelView(result) : h('p', { class: 'note' }, 'Nothing yet.'),
    )
  }

  function question(about: string | undefined, preview: HTMLElement, always: boolean): HTMLElement {
    const button = (label: string, given: Answer, extra: string, title: string): HTMLElement =>
      textButton(label, () => give(given), { class: `small ${extra}`, title })
    return h(
      'div',
      { class: 'card-ask' },
      about === undefined ? null : h('p', { class: 'card-about' }, ...visible(about)),
      preview,
      h(
        'div',
        { class: 'card-answers', role: 'group', 'aria-label': `Let ${visibleText(toolName)} run?`, on: createKeyGuard() },
        button('Approve', 'approve', 'primary', 'Let this call run'),
        button('Deny', 'deny', '', 'Do not let this call run; the model is told so'),
        always && button('Allow all', 'always', 'quiet', 'Let this call run, and all that follow'),
      ),
    )
  }

  function give(given: Answer): void {
    // The pressed button disappears, so the card takes the focus of keyboard users.
    if (element.contains(document.activeElement)) element.focus()
    isRefused = given === 'deny'
    answer?.(given)
    answer = undefined
  }

  function shown(text: string, label: string): HTMLElement {
    const box = h('div', { class: 'card-box', tabindex: 0, role: 'group', 'aria-label': label })
    if (hasDiff(text)) box.append(renderDiff(text))
    else box.append(h('pre', {}, ...visible(cut(text, SHOWN_OUTPUT))))
    return box
  }

  /** Shows the code or input to run, for calls without a diff. */
  function plain(): HTMLElement {
    const text = [input.command, input.code].find((one) => typeof one === 'string') ?? JSON.stringify(call.input, null, 2) ?? ''
    return shown(String(text), 'What would run')
  }

  function changed(change: CallChange): HTMLElement[] {
    const { diff = '', changes, total } = change
    const files = changes.filter(({ kind }) => kind !== 'dir')
    const rest = total - changes.length + Math.max(0, files.length - SHOWN_FILES)
    const list = h(
      'ul',
      { class: 'card-files', 'aria-label': 'Files that it changed' },
      ...files
        .slice(0, SHOWN_FILES)
        .map((one) => h('li', {}, h('span', { class: `card-change is-${one.change}` }, one.change), nameOf(one))),
      rest > 0 ? h('li', {}, `and ${plural(rest, 'more change')}`) : null,
    )
    return [h('div', { class: 'card-changed' }, list, undoRow(change)), ...(diff ? [shown(withoutHead(diff), 'What it changed')] : [])]
  }

  function nameOf({ path, change }: CallChange['changes'][number]): HTMLElement {
    const name = options.relative(path)
    if (change === 'deleted') return h('span', { class: 'mono' }, ...visibleName(name))
    return h('button', { type: 'button', class: 'path-link', on: { click: () => options.onOpenPath(name) } }, ...visibleName(name))
  }

  function undoRow(change: CallChange): HTMLElement {
    const told = h('span', { class: 'card-told', role: 'status' })
    const undo = textButton('Undo', () => void back(), {
      icon: 'reset',
      class: 'small quiet',
      title: 'Put these files back as they were before this call',
    })
    async function back(): Promise<void> {
      const hadFocus = document.activeElement === undo
      // Only restores the focus if the user has not moved it meanwhile.
      const isAtIt = (): boolean => hadFocus && (document.activeElement === document.body || document.activeElement === undo)
      undo.disabled = true
      undo.setAttribute('aria-busy', 'true')
      told.textContent = ''
      try {
        const onLong = (): void => {
          told.textContent = 'Undoing…'
        }
        await whenLong(onLong, () => options.onUndo(change), options.after)
        element.classList.add('is-undone')
        told.textContent = 'Undone'
        undo.hidden = true
        if (isAtIt()) element.focus()
      } catch (error) {
        undo.disabled = false
        if (isAtIt()) undo.focus()
        told.textContent = `It was not undone: ${error instanceof Error ? error.message : String(error)}`
      } finally {
        undo.removeAttribute('aria-busy')
      }
    }
    const compare = textButton('Timeline', options.onCompare, {
      icon: 'eye',
      class: 'small quiet',
      title: 'Show in the timeline what has changed since then',
    })
    return h('div', { class: 'card-undo' }, told, change.total > change.changes.length ? null : undo, compare)
  }

  return {
    element,
    ask(about, preview, always = true) {
      become('asking')
      const place = h('div', {}, plain())
      subject = place
      body.replaceChildren(question(about, place, always))
      void preview.then((diff) => {
        if (diff !== undefined) place.replaceChildren(shown(withoutHead(diff), 'What it would change'))
      })
      return new Promise((resolve) => {
        answer = resolve
      })
    },
    withdraw() {
      answer = undefined
      body.replaceChildren()
    },
    running() {
      become('running')
      body.replaceChildren()
      const began = performance.now()
      timer = setInterval(() => {
        const passed = performance.now() - began
        if (passed >= PATIENCE_MS) facts.textContent = formatDuration(passed)
      }, 100)
    },
    progress(text) {
      if (text) body.replaceChildren(shown(text.slice(-SHOWN_OUTPUT), 'What it prints'))
    },
    done(given, duration, change) {
      result = given
      become(...endOf(given))
      const lines = change?.diff ? counts(...linesOf(change.diff)) : []
      facts.replaceChildren(...lines, formatDuration(duration))
      // The error text addresses the model; the user gets a shorter message.
      const byUser = isRefused && state === 'denied'
      const failure = byUser ? 'You denied this.' : given.ok ? '' : given.error
      const told = given.ok ? (TALKING.test(call.tool) ? toModelText(given) : '') : failure
      body.replaceChildren(
        ...(given.ok || !told ? [] : [h('p', { class: 'card-failure' }, ...visible(cut(told, SHOWN_OUTPUT)))]),
        ...(byUser && subject ? [subject] : []),
        ...(given.ok && told ? [shown(told, 'What it says')] : []),
        ...(change ? changed(change) : []),
      )
      if (raw.open) raw.append(rawBody())
    },
    drop() {
      if (state === 'waiting') become('dropped')
      else if (state === 'running') become('stopped', 'broken off')
    },
  }
}

/**
 * Ignores key presses that started before the question appeared or too soon after. The focus moves to a question automatically, possibly
 * while the user holds a key.
 */
function createKeyGuard(): Record<'keydown' | 'keyup', (event: KeyboardEvent) => void> {
  const began = performance.now()
  let isMeant = false
  const refuse = (event: KeyboardEvent): void => {
    if (!isMeant && (event.key === 'Enter' || event.key === ' ')) event.preventDefault()
  }
  return {
    keydown(event) {
      if (!event.repeat) isMeant = event.timeStamp - began >= TO_READ_MS
      refuse(event)
    },
    // The space bar presses a button on keyup.
    keyup: refuse,
  }
}

/** The final state of a call, and a label if it differs from the state: a command that exits with an error is not a success. */
function endOf(result: ToolResult): [state: State, word?: string] {
  if (!result.ok) {
    const { status } = result.output
    return [status === 'denied' ? 'denied' : status === 'aborted' ? 'stopped' : 'failed']
  }
  const { words, isOk } = outcomeOf({ result })
  if (isOk) return ['done']
  return words === STATES.stopped.word ? ['stopped'] : ['failed', words]
}

function linesOf(diff: string): [added: number, removed: number] {
  let [added, removed] = [0, 0]
  for (const line of diff.split('\n')) {
    if (line.startsWith('+') && !line.startsWith('+++ ')) added += 1
    if (line.startsWith('-') && !line.startsWith('--- ')) removed += 1
  }
  return [added, removed]
}

/** Removes the file header from a diff of a single file, because the card already shows the file's name. */
const withoutHead = (diff: string): string => {
  const heads = /^--- .*\n\+\+\+ .*\n(?=@@ )/gm
  return diff.match(heads)?.length === 1 ? diff.replace(heads, '') : diff
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}\n… ${plural(text.length - length, 'more character')}` : text
