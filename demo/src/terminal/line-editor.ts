import { inColumns } from './completion/columns.js'
import type { Completion } from './completion/complete.js'
import { createCompleter } from './completion/completer.js'
import { createHistory, type HistoryStore } from './history.js'
import { createHistorySearch, type HistorySearch } from './history-search.js'
import { type Key, type KeyName, parseKeys } from './keys.js'
import { EMPTY, edit, insert, type Line, moveRow } from './line.js'
import { createLineView } from './line-view.js'
import type { Screen } from './screen.js'
import { colour } from './sequences.js'
import { isUnfinished } from './unfinished.js'

export interface LineEditor {
  /** Whether the user has typed something that has not run yet. */
  readonly isTyping: boolean
  /** Asks for a command. Resolves when the command is complete and the user has pressed Enter. Never resolves after `drop`. */
  read(prompt: string): Promise<string>
  /** Discards the current prompt and all typed input. */
  drop(): void
  /** Replaces the current prompt. */
  showPrompt(prompt: string): void
  clear(): Promise<void>
}

export interface LineEditorOptions {
  readonly history: HistoryStore
  readonly onInterrupt: () => void
  /** Completes a line on Tab. */
  readonly complete: (line: Line) => Promise<Completion>
  /** Announces a text to screen readers. `''` clears it. */
  readonly announce: (text: string) => void
}

/** A mode in which keys do something other than edit. */
interface Mode {
  /** Handles a key. Returns whether the key belongs to the mode; if not, the mode ends. */
  take(key: Key): boolean
  /** Redraws the line without the mode. */
  leave(): void
}

/** More candidates than this are listed only after a confirmation. */
const MANY = 100

/**
 * A multi-line editor on a terminal, with history, completion and safe pasting. Input that arrives between two commands is kept for the
 * next command, unless Ctrl+C discards it and calls `onInterrupt`.
 */
export function createLineEditor({ terminal, onData }: Screen, options: LineEditorOptions): LineEditor {
  const { history: store, onInterrupt, complete, announce } = options
  const view = createLineView(terminal)
  const history = createHistory(store)
  const completer = createCompleter({
    complete,
    onLine: show,
    onList: list,
    onNothing: () => announce('Nothing to complete this with'),
    onSettled: take,
  })
  let prompt = ''
  let line: Line = EMPTY
  let mode: Mode | undefined
  let resolve: ((command: string) => void) | undefined
  let waiting: Key[] = []
  let turn = 0
  onData((data) => {
    waiting.push(...parseKeys(data))
    take()
  })

  /** Handles pending keys while a command is requested. */
  function take(): void {
    const stop = waiting.findLastIndex(isInterrupt)
    if (stop >= 0 && !resolve) {
      waiting = []
      onInterrupt()
    }
    // During a completion, Ctrl+C takes effect before an Enter that waits for the completion.
    if (stop >= 0 && completer.isBusy) waiting = waiting.slice(stop)
    while (resolve) {
      const [key] = waiting
      // Enter waits for a running completion, so that the result is as if the completion were immediate.
      if (!key || (completer.isBusy && isNamed(key, 'enter'))) return
      waiting.shift()
      onKey(key)
    }
  }

  function onKey(key: Key): void {
    announce('')
    if (mode || !isNamed(key, 'complete')) completer.drop()
    if (mode?.take(key)) return
    if ('text' in key) show(insert(line, key.text))
    else onName(key.name)
  }

  function onName(name: KeyName): void {
    if (name === 'complete') completer.press(line)
    else if (name === 'enter') enter()
    else if (name === 'interrupt') abandon()
    else if (name === 'clear') void view.clear()
    else if (name === 'search') search()
    else if (name === 'up' || name === 'down') vertical(name === 'up' ? -1 : 1)
    else show(edit(line, name))
  }

  function show(next: Line): void {
    if (next.text === line.text && next.cursor === line.cursor) return
    line = next
    view.draw(line)
  }

  function enter(): void {
    if (isUnfinished(line.text)) {
      show(insert({ text: line.text, cursor: line.text.length }, '\n'))
      return
    }
    const done = resolve
    const { text } = line
    resolve = undefined
    if (text.trim() !== '') history.add(text)
    history.rewind()
    void view.finish(line).then(() => done?.(text))
  }

  function abandon(): void {
    const done = resolve
    resolve = undefined
    history.rewind()
    void view.finish(line, '^C').then(() => done?.(''))
  }

  function vertical(step: -1 | 1): void {
    const moved = moveRow(line, step)
    const entry = moved ? undefined : history.move(step, line.text)
    if (moved) show(moved)
    else if (entry !== undefined) show({ text: entry, cursor: entry.length })
  }

  /** Lists the candidates below the line and redraws the line. */
  function list(candidates: readonly string[]): void {
    void view.finish(line)
    if (candidates.length > MANY) ask(candidates)
    else print(candidates)
  }

  function ask(candidates: readonly string[]): void {
    view.print(`Display all ${candidates.length} possibilities? (y or n)`)
    const take = (key: Key): boolean => {
      const answer = answerOf(key)
      if (answer === undefined) return true
      mode = undefined
      if (isInterrupt(key)) return false
      if ('text' in key && key.text.length > 1) waiting.unshift({ text: key.text.slice(1) })
      view.print('\n')
      print(answer ? candidates : [])
      return true
    }
    mode = { take, leave: () => print([]) }
  }

  function print(candidates: readonly string[]): void {
    view.print(inColumns(candidates, terminal.cols))
    void view.begin(prompt, line)
  }

  function search(): void {
    const draft = line
    const found = createHistorySearch(store.entries, draft)
    const draw = (): void => {
      view.setPrompt(searchPrompt(found))
      show(found.line)
    }
    const leave = (): void => view.setPrompt(prompt)
    const take = (key: Key): boolean => {
      if ('text' in key) found.type(key.text)
      else if (key.name === 'search') found.older()
      else if (key.name === 'backspace') found.back()
      else {
        mode = undefined
        leave()
        if (key.name === 'escape') show(draft)
        return key.name === 'escape'
      }
      draw()
      return true
    }
    mode = { take, leave }
    draw()
  }

  return {
    get isTyping() {
      return resolve ? mode !== undefined || line.text !== '' : waiting.length > 0
    },
    async read(next) {
      turn += 1
      const own = turn
      line = EMPTY
      prompt = next
      await view.begin(prompt)
      return new Promise((done) => {
        if (own !== turn) return
        resolve = done
        take()
      })
    },
    drop() {
      turn += 1
      completer.drop()
      mode = undefined
      view.drop()
      resolve = undefined
      waiting = []
    },
    showPrompt(next) {
      prompt = next
      if (!mode) view.setPrompt(prompt)
    },
    async clear() {
      const left = mode
      mode = undefined
      await view.clear()
      left?.leave()
    },
  }
}

const isNamed = (key: Key, name: KeyName): boolean => 'name' in key && key.name === name
const isInterrupt = (key: Key): boolean => isNamed(key, 'interrupt')

/** The answer to a yes/no question. Undefined: the key is not an answer. */
function answerOf(key: Key): boolean | undefined {
  if ('name' in key) return ['interrupt', 'escape', 'enter', 'backspace'].includes(key.name) ? false : undefined
  if (/^[y ]/i.test(key.text)) return true
  return /^[nq]/i.test(key.text) ? false : undefined
}

function searchPrompt({ query, isFound }: HistorySearch): string {
  const shown = query.replace(/\s/g, ' ')
  return `${isFound ? colour('faint', `search "${shown}":`) : colour('error', `nothing with "${shown}":`)} `
}
