import type { BuildMessage } from '../../types/preview.js'

/**
 * Returns functions that read the page's visible content and show build errors. The preview inserts the source text of `clientView` into
 * the page, so it must not use anything else of this file.
 */
export function clientView(): {
  /** Shows errors over the page. An empty list removes them. */
  showErrors(errors: readonly BuildMessage[]): void
  visibleText(): string
  outline(): string
} {
  let overlay: HTMLElement | undefined
  const showErrors = (errors: readonly BuildMessage[]): void => {
    overlay?.remove()
    overlay = undefined
    if (errors.length === 0) return
    overlay = document.createElement('div')
    overlay.setAttribute('role', 'alert')
    overlay.id = 'toolport-build-errors'
    overlay.style.cssText =
      'position:fixed;inset:0;z-index:2147483647;overflow:auto;padding:24px;background:#1b1b1fee;color:#f4f4f5;font:14px/1.5 ui-monospace,monospace;white-space:pre-wrap'
    for (const { text, file, line, column, code } of errors) {
      const place = file === undefined ? '' : `\n${file}:${line ?? 1}:${column ?? 1}`
      const item = document.createElement('p')
      item.textContent = `${text}${place}${code === undefined ? '' : `\n${code}\n${' '.repeat(Math.max(0, (column ?? 1) - 1))}^`}`
      overlay.append(item)
    }
    ;(document.body ?? document.documentElement).append(overlay)
  }
  const visibleText = (): string => {
    const { body } = document
    if (!body) return ''
    // biome-ignore lint/performance/useDomNodeTextContent: textContent includes hidden text
    if (body.getClientRects().length > 0) return body.innerText
    // Without layout, as in a hidden frame, innerText includes scripts and styles.
    const copy = body.cloneNode(true) as HTMLElement
    for (const element of copy.querySelectorAll('script,style,template,noscript')) element.remove()
    return (copy.textContent ?? '').trim()
  }
  const outline = (): string => {
    const lines: string[] = []
    const visit = (node: Element, depth: number): void => {
      if (lines.length > 500 || (node as HTMLElement).hidden || node === overlay) return
      const named = 'h1,h2,h3,h4,h5,h6,a[href],button,input,select,textarea,img,[role]'
      let at = depth
      if (node.matches(named)) {
        const field = node as HTMLInputElement
        const label =
          node.getAttribute('aria-label') ?? field.labels?.[0]?.textContent ?? (node as HTMLImageElement).alt ?? node.textContent ?? ''
        const role = node.getAttribute('role') ?? node.tagName.toLowerCase()
        const value = node.matches('input,select,textarea') && field.type !== 'password' ? ` = ${JSON.stringify(field.value)}` : ''
        lines.push(`${'  '.repeat(at)}${role} ${JSON.stringify(label.trim().replace(/\s+/g, ' ').slice(0, 200))}${value}`)
        at++
      }
      for (const child of node.children) visit(child, at)
    }
    if (document.body) visit(document.body, 0)
    return lines.join('\n').slice(0, 20_000)
  }
  return { showErrors, visibleText, outline }
}
