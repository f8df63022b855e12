import { copyButton } from '../copy-button.js'
import { createDialogHead } from '../dialog-head.js'
import { h, uniqueId } from '../dom.js'
import { plural } from '../format.js'
import { messageOf } from '../notice.js'
import { createTabs } from '../tabs.js'
import { highlight } from '../text/highlight.js'
import type { CodeBlock, CodeCall, CodeFormat } from './code-call.js'
import { providerFormats } from './provider-code.js'
import { toolportFormat } from './toolport-code.js'

export interface CodeDialog {
  readonly element: HTMLDialogElement
  /** Shows a call in the format that was selected last. */
  open(call: CodeCall): void
}

/** Maximum number of characters shown. The copy button copies everything. */
const SHOWN = 60_000

const [json, ...providers] = providerFormats
const formats: readonly CodeFormat[] = [...(json ? [json] : []), toolportFormat, ...providers]

/** A dialog that shows a call as code, in all formats. */
export function createCodeDialog(): CodeDialog {
  const heading = h('h2', { id: uniqueId('code'), tabindex: -1 }, 'This call as code')
  const panels = formats.map(() => h('div', { class: 'code-panel' }))
  const tabs = createTabs(
    'Formats',
    formats.map(({ name }, index) => ({ label: name, panel: panels[index] as HTMLElement, onShow: () => draw(index) })),
  )
  const element = h(
    'dialog',
    { class: 'dialog code-dialog', 'aria-labelledby': heading.id, on: { close: () => forget() } },
    createDialogHead(heading, () => element.close()),
    tabs.list,
    h('div', { class: 'dialog-body' }, ...panels),
  )
  let call: CodeCall | undefined

  /** Renders a panel only when it is first shown. */
  function draw(index: number): void {
    const [panel, format] = [panels[index], formats[index]]
    if (!call || !panel || !format || panel.hasChildNodes()) return
    panel.replaceChildren(h('p', { class: 'dialog-note' }, format.about), ...blocksOf(format, call))
  }

  function forget(): void {
    call = undefined
    for (const panel of panels) panel.replaceChildren()
  }

  return {
    element,
    open(next) {
      forget()
      call = next
      heading.textContent = `A call of ${next.entry.name} as code`
      draw(tabs.selected)
      element.showModal()
      tabs.tabs[tabs.selected]?.focus()
    },
  }
}

function blocksOf({ name, blocks }: CodeFormat, call: CodeCall): HTMLElement[] {
  try {
    return blocks(call).map((block) => renderBlock(block, name))
  } catch (error) {
    return [h('p', { class: 'dialog-problem' }, `This call cannot be written for ${name}: ${messageOf(error)}.`)]
  }
}

function renderBlock({ title, language, text }: CodeBlock, format: string): HTMLElement {
  const label = `${title}, ${format}`
  return h(
    'section',
    { class: 'code-block', 'aria-label': label },
    h(
      'div',
      { class: 'code-head' },
      h('h3', {}, title),
      copyButton(`Copy: ${label}`, () => text),
    ),
    h(
      'pre',
      { class: 'code-text', tabindex: 0, role: 'group', 'aria-label': label },
      h('code', {}, ...coloured(text.slice(0, SHOWN), language)),
    ),
    text.length > SHOWN && h('p', { class: 'dialog-note' }, `${plural(text.length - SHOWN, 'more character')}, which are copied too.`),
  )
}

function coloured(text: string, language: CodeBlock['language']): (HTMLElement | string)[] {
  const lines = highlight(`call.${language}`, text.split('\n'))
  if (!lines) return [text]
  return lines.flatMap((tokens, index) => [
    ...(index > 0 ? ['\n'] : []),
    ...tokens.map(({ text: piece, kind }) => (kind ? h('span', { class: `tok-${kind}` }, piece) : piece)),
  ])
}
