import { h } from '../dom.js'

/** Work that may take a while. */
export interface Task {
  /** Aborted when nobody wants it any more: it ends, and leaves things as they were. */
  readonly signal: AbortSignal
  /** How far it is by now, in words. */
  tell(howFar: string): void
}

export interface TaskBar {
  readonly element: HTMLElement
  /** Shows what is done, once it takes long, with a way to stop it; nothing, where there are no words for it. */
  begin(doing: string | undefined): Task
  end(): void
}

/** What takes no longer needs no word. */
const QUICK_MS = 300

/** Screen readers are told what is done once, not of every number. */
export function createTaskBar(): TaskBar {
  const bar = h('progress', { class: 'task-bar' })
  const text = h('p', { class: 'task-step' })
  const told = h('p', { class: 'visually-hidden', role: 'status' })
  const cancel = h('button', { type: 'button', class: 'button small' }, 'Cancel')
  const shown = h('div', { class: 'task-progress', hidden: true }, bar, text, cancel)
  let waiting: ReturnType<typeof setTimeout> | undefined

  function end(): void {
    clearTimeout(waiting)
    shown.hidden = true
    told.textContent = ''
  }

  return {
    element: h('div', { class: 'dialog-task' }, shown, told),
    begin(doing) {
      end()
      const stop = new AbortController()
      if (doing === undefined) return { signal: stop.signal, tell: () => undefined }
      bar.setAttribute('aria-label', doing)
      text.textContent = `${doing}…`
      cancel.onclick = () => {
        text.textContent = 'Stopping…'
        stop.abort()
      }
      waiting = setTimeout(() => {
        shown.hidden = false
        told.textContent = `${doing}…`
      }, QUICK_MS)
      return {
        signal: stop.signal,
        tell(howFar) {
          if (!stop.signal.aborted) text.textContent = `${doing}: ${howFar}`
        },
      }
    },
    end,
  }
}
