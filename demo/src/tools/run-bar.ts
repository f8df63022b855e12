import { textButton } from '../button.js'
import { h } from '../dom.js'
import { formatDuration } from '../format.js'
import { icon } from '../icons.js'

export interface RunBar {
  readonly element: HTMLElement
  /** Shows a running call: elapsed time and Cancel button. */
  setRunning(running: boolean): void
  /** Shows that the call waits for the user's approval. */
  setWaiting(waiting: boolean): void
  /** Whether to offer a preview of the call. */
  offerPreview(offered: boolean): void
  focusRun(): void
  focusPreview(): void
}

export interface RunBarOptions {
  readonly onRun: () => void
  readonly onPreview: () => void
  readonly onCancel: () => void
  readonly onClear: () => void
  /** Shows the call as code. */
  readonly onCode: () => void
  /** The approval policy menu. */
  readonly policy: HTMLElement
}

/** Delay before a call shows that it is running. */
const PATIENCE_MS = 300

export function createRunBar({ onRun, onPreview, onCancel, onClear, onCode, policy }: RunBarOptions): RunBar {
  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
  const run = h(
    'button',
    { type: 'button', class: 'button primary', 'aria-keyshortcuts': 'Control+Enter Meta+Enter', on: { click: onRun } },
    icon('run'),
    'Run',
    h('kbd', { 'aria-hidden': 'true' }, isMac ? '⌘ ↵' : 'Ctrl ↵'),
  )
  const preview = textButton('Preview', onPreview, {
    icon: 'eye',
    hidden: true,
    title: `See the diff first (${isMac ? '⌘ ⇧ ↵' : 'Ctrl Shift ↵'})`,
    'aria-keyshortcuts': 'Control+Shift+Enter Meta+Shift+Enter',
  })
  const cancel = textButton('Cancel', onCancel, { icon: 'cross', hidden: true })
  const clear = textButton('Clear', onClear, { class: 'quiet' })
  const code = textButton('Code', onCode, {
    icon: 'code',
    class: 'quiet show-code',
    title: 'This call as code, to copy',
    'aria-haspopup': 'dialog',
  })
  const time = h('span', { class: 'running' })
  const element = h('div', { class: 'run-bar' }, run, preview, cancel, clear, code, time, policy)
  let timer: ReturnType<typeof setInterval> | undefined
  let isWaiting = false

  return {
    element,
    setRunning(running) {
      const began = performance.now()
      run.setAttribute('aria-disabled', String(running))
      preview.setAttribute('aria-disabled', String(running))
      // The button disappears, so the focus stays in the bar.
      if (!running && document.activeElement === cancel) run.focus()
      cancel.hidden = !running
      // Saves space, because these buttons are not needed while a call runs.
      for (const one of [clear, code]) one.hidden = running && document.activeElement !== one
      clearInterval(timer)
      time.textContent = ''
      if (!running) return
      timer = setInterval(() => {
        const passed = performance.now() - began
        if (isWaiting) time.textContent = 'Waiting for you'
        else if (passed >= PATIENCE_MS) time.textContent = `Running, ${formatDuration(passed)}`
      }, 100)
    },
    setWaiting(waiting) {
      isWaiting = waiting
    },
    offerPreview(offered) {
      preview.hidden = !offered
    },
    focusRun: () => run.focus(),
    focusPreview: () => preview.focus(),
  }
}
