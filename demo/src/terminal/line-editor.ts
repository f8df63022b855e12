import type { Terminal } from '@xterm/xterm'
import { createHistory, type HistoryStore } from './history.js'
import { type Key, type KeyName, parseKeys } from './keys.js'
import { EMPTY, edit, insert, type Line, moveRow } from './line.js'
import { createLineView } from './line-view.js'
import { isUnfinished } from './unfinished.js'

export interface LineEditor {
  /** Asks for a command. Resolves with it when it is complete and Enter was pressed; never after `drop`. */
  read(prompt: string): Promise<string>
  /** Gives up what is asked for and what was typed ahead. */
  drop(): void
  /** Another prompt for what is asked for. */
  showPrompt(prompt: string): void
  clear(): Promise<void>
}

/**
 * Line editing over a terminal: several rows, history, pastes that run nothing. What is typed while no command is asked for waits for the
 * next one; only Ctrl+C goes to `onInterrupt`, and forgets it.
 */
export function createLineEditor(terminal: Terminal, store: HistoryStore, onInterrupt: () => void): LineEditor {
  const view = createLineView(terminal)
  const history = createHistory(store)
  let line: Line = EMPTY
  let resolve: ((command: string) => void) | undefined
  let waiting: Key[] = []
  let turn = 0
  terminal.onData((data) => {
    waiting.push(...parseKeys(data))
    take()
  })

  /** Handles the keys that came in, as far as somebody asks for them. */
  function take(): void {
    if (!resolve && waiting.some(isInterrupt)) {
      waiting = []
      onInterrupt()
    }
    while (resolve) {
      const key = waiting.shift()
      if (!key) return
      if ('text' in key) show(insert(line, key.text))
      else onKey(key.name)
    }
  }

  function onKey(name: KeyName): void {
    if (name === 'enter') enter()
    else if (name === 'interrupt') abandon()
    else if (name === 'clear') void view.clear()
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

  return {
    async read(prompt) {
      turn += 1
      const own = turn
      line = EMPTY
      await view.begin(prompt)
      return new Promise((done) => {
        if (own !== turn) return
        resolve = done
        take()
      })
    },
    drop() {
      turn += 1
      view.drop()
      resolve = undefined
      waiting = []
    },
    showPrompt: (prompt) => view.setPrompt(prompt),
    clear: () => view.clear(),
  }
}

const isInterrupt = (key: Key): boolean => 'name' in key && key.name === 'interrupt'
