import { h } from '../dom.js'
import { QUICK_MS } from '../pace.js'
import { visible } from '../visible.js'

/** A long-running task. */
export interface Task {
  /** Aborted when the user cancels: the task stops and leaves everything unchanged. */
  readonly signal: AbortSignal
  /** Shows the progress in words. */
  tell(howFar: string): void
}

export interface TaskBar {
  readonly element: HTMLElement
  /** Shows a slow task, with a Cancel button if `canStop`. Shows nothing if `doing` is undefined. */
  begin(doing: string | undefined, canStop?: boolean): Task
  /** Cancels the task, like the button. */
  stop(): void
  end(): void
}

/** Announces a task to screen readers once, without its progress numbers. */
export function createTaskBar(): TaskBar {
  const bar = h('progress', { class: 'task-bar' })
  const text = h('p', { class: 'task-step' })
  const told = h('p', { class: 'visually-hidden', role: 'status' })
  const cancel = h('button', { type: 'button', class: 'button small' }, 'Cancel')
  const shown = h('div', { class: 'task-progress', hidden: true }, bar, text, cancel)
  let waiting: ReturnType<typeof setTimeout> | undefined
  let current: AbortController | undefined

  cancel.onclick = stop

  function stop(): void {
    if (!current) return
    text.textContent = 'Stopping…'
    current.abort()
  }
  const say = (words: string): void => text.replaceChildren(...visible(words))
  function show(doing: string): void {
    if (document.querySelector('dialog.ask[open]')) {
      // Waits while a confirmation dialog is open, because the task does nothing meanwhile.
      waiting = setTimeout(() => show(doing), QUICK_MS)
      return
    }
    shown.hidden = false
    told.textContent = `${doing}…`
  }
  function end(): void {
    clearTimeout(waiting)
    current = undefined
    shown.hidden = true
    told.textContent = ''
  }

  return {
    element: h('div', { class: 'dialog-task' }, shown, told),
    begin(doing, canStop = true) {
      end()
      const mine = new AbortController()
      if (doing === undefined) return { signal: mine.signal, tell: () => undefined }
      if (canStop) current = mine
      bar.setAttribute('aria-label', doing)
      say(`${doing}…`)
      cancel.hidden = !canStop
      waiting = setTimeout(() => show(doing), QUICK_MS)
      return {
        signal: mine.signal,
        tell(howFar) {
          if (!mine.signal.aborted) say(`${doing}: ${howFar}`)
        },
      }
    },
    stop,
    end,
  }
}
