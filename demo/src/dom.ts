type Attribute = string | number | boolean | undefined
type Handlers = { [K in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[K]) => void }
export type Child = Node | string | null | undefined | false

export interface Props {
  readonly class?: string | undefined
  readonly on?: Handlers
  readonly [attribute: string]: Attribute | Handlers
}

/**
 * Creates an element. `true` sets an empty attribute; `false` and `undefined` omit the attribute; strings become text nodes. Markup, styles
 * and inline handlers cannot be passed, so data can never become any of them.
 */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, props: Props = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === false || typeof value === 'object') continue
    element.setAttribute(name, value === true ? '' : String(value))
  }
  for (const [type, handler] of Object.entries(props.on ?? {})) element.addEventListener(type, handler as EventListener)
  append(element, children)
  return element
}

function append(parent: Node, children: readonly Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue
    parent.appendChild(typeof child === 'string' ? document.createTextNode(child) : child)
  }
}

/** Collects any number of nodes; too many nodes cannot be passed as arguments. */
export function together(nodes: Iterable<Node | string>): DocumentFragment {
  const all = document.createDocumentFragment()
  for (const node of nodes) all.append(node)
  return all
}

let ids = 0

/** An id that is unique in the page. */
export function uniqueId(prefix: string): string {
  ids += 1
  return `${prefix}-${ids}`
}
