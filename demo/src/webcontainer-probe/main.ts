import { WebContainer } from '@webcontainer/api'
import { h } from '../dom.js'
import { type ProbeResult, runProbe, type Suite } from './probe.js'

const run = element('run', HTMLButtonElement)
const bash = element('bash', HTMLInputElement)
const failedOnly = element('failed-only', HTMLInputElement)
const status = element('status', HTMLElement)
const rows = element('rows', HTMLElement)

function element<T extends HTMLElement>(id: string, kind: new () => T): T {
  const found = document.getElementById(id)
  if (!(found instanceof kind)) throw new Error(`The page has no element "${id}"`)
  return found
}

function row({ suite, title, error, ms }: ProbeResult): HTMLElement {
  const said = error === undefined ? undefined : h('pre', {}, error)
  return h(
    'tr',
    { class: error === undefined ? 'passed' : 'failed' },
    cell(error === undefined ? 'pass' : 'FAIL'),
    cell(`${suite}: ${title}`, said),
    cell(ms.toFixed(0)),
  )
}

const cell = (...children: (string | Node | undefined)[]): HTMLElement => h('td', {}, ...children)

async function probe(): Promise<void> {
  run.disabled = true
  rows.replaceChildren()
  if (!globalThis.crossOriginIsolated) {
    status.textContent =
      'This page is not cross-origin isolated: serve it with the headers of docs/webcontainer.md, from HTTPS or localhost.'
    return
  }
  status.textContent = 'Booting: the runtime is downloaded. Without the network this does not end.'
  const counts = { passed: 0, failed: 0 }
  const container = await WebContainer.boot({ coep: 'require-corp', workdirName: 'probe' })
  const suites: Suite[] = bash.checked ? ['storage', 'shell', 'js', 'bash'] : ['storage', 'shell', 'js']
  await runProbe(container, suites, (result, left) => {
    counts[result.error === undefined ? 'passed' : 'failed']++
    const shown = row(result)
    shown.hidden = failedOnly.checked && result.error === undefined
    rows.append(shown)
    status.textContent = `${counts.passed} passed, ${counts.failed} failed, ${left} to run.`
  })
  status.textContent = `Done: ${counts.passed} passed, ${counts.failed} failed. @webcontainer/api 1, ${navigator.userAgent}`
}

failedOnly.addEventListener('change', () => {
  for (const each of rows.querySelectorAll<HTMLElement>('.passed')) each.hidden = failedOnly.checked
})
run.addEventListener('click', () => {
  probe().catch((error: unknown) => {
    status.textContent = `Stopped: ${error instanceof Error ? error.message : String(error)}`
    run.disabled = false
  })
})
