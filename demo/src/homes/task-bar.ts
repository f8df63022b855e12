import { h } from '../dom.js'
import { QUICK_MS } from '../pace.js'
import { visible } from '../visible.js'

/** Work that may take a while. */
export interface Task {
  /** Aborted when nobody wants it any more: it ends, and leaves things as they were. */
  readonly signal: AbortSignal
  /** How far it is by now, in words. */
  tell(howFar: string): void
}

export interface TaskBar {
  readonly element: HTMLElement
  /** Shows what is done, once it takes long, with a way to stop it where there is one; nothing, where there are no words for it. */
  begin(doing: string | undefined, canStop?: boolean): Task
  /** As the button does. */
  stop(): void
  end(): void
}

/** Screen readers are told what is done once, not of every number. */
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
      // Nothing is done while somebody is asked whether it may be.
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
