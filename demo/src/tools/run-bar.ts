import { h } from '../dom.js'
import { formatDuration } from '../format.js'
import { icon } from '../icons.js'

export interface RunBar {
  readonly element: HTMLElement
  /** While a call runs: its time counts, and it can be cancelled. */
  setRunning(running: boolean): void
  /** Whether there is something to look at before it is run. */
  offerPreview(offered: boolean): void
  focusPreview(): void
}

export interface RunBarOptions {
  readonly onRun: () => void
  readonly onPreview: () => void
  readonly onCancel: () => void
  readonly onClear: () => void
}

/** Shown only for calls that take so long that one would wonder. */
const PATIENCE_MS = 300

export function createRunBar({ onRun, onPreview, onCancel, onClear }: RunBarOptions): RunBar {
  const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent)
  const run = h(
    'button',
    { type: 'button', class: 'button primary', 'aria-keyshortcuts': 'Control+Enter Meta+Enter', on: { click: onRun } },
    icon('run'),
    'Run',
    h('kbd', { 'aria-hidden': 'true' }, isMac ? '⌘ ↵' : 'Ctrl ↵'),
  )
  const preview = h(
    'button',
    {
      type: 'button',
      class: 'button',
      hidden: true,
      title: `See the diff first (${isMac ? '⌘ ⇧ ↵' : 'Ctrl Shift ↵'})`,
      'aria-keyshortcuts': 'Control+Shift+Enter Meta+Shift+Enter',
      on: { click: onPreview },
    },
    icon('eye'),
    'Preview',
  )
  const cancel = h('button', { type: 'button', class: 'button', hidden: true, on: { click: onCancel } }, icon('cross'), 'Cancel')
  const clear = h('button', { type: 'button', class: 'button quiet', on: { click: onClear } }, 'Clear')
  const time = h('span', { class: 'running' })
  const element = h('div', { class: 'run-bar' }, run, preview, cancel, clear, time)
  let timer: ReturnType<typeof setInterval> | undefined

  return {
    element,
    setRunning(running) {
      const began = performance.now()
      run.setAttribute('aria-disabled', String(running))
      preview.setAttribute('aria-disabled', String(running))
      cancel.hidden = !running
      clearInterval(timer)
      time.textContent = ''
      if (!running) return
      timer = setInterval(() => {
        const passed = performance.now() - began
        if (passed >= PATIENCE_MS) time.textContent = `Running, ${formatDuration(passed)}`
      }, 100)
    },
    offerPreview(offered) {
      preview.hidden = !offered
    },
    focusPreview: () => preview.focus(),
  }
}
