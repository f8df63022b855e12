import type { TreeNode } from './model.js'

const TYPE = 'application/x-toolport-path'
/** Delay before a closed directory opens during a drag. */
const OPEN_AFTER_MS = 700

export interface DragOptions {
  readonly nodeAt: (target: EventTarget | null) => TreeNode | undefined
  readonly onMove: (from: string, directory: string) => void
  readonly onOpen: (directory: string) => void
}

/** Lets the user drag rows onto directories. Empty space of the tree is the root. */
export function enableDrag(element: HTMLElement, { nodeAt, onMove, onOpen }: DragOptions): void {
  let dragged: string | undefined
  let over: string | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function directoryOf(target: EventTarget | null): string {
    const node = nodeAt(target)
    return (node?.kind === 'dir' ? node.path : node?.parent?.path) ?? ''
  }

  /** Rejects the dragged entry itself, its descendants, and its current directory. */
  function fits(directory: string): boolean {
    if (dragged === undefined) return false
    const isInside = directory === dragged || directory.startsWith(`${dragged}/`)
    return !isInside && directory !== dragged.slice(0, Math.max(0, dragged.lastIndexOf('/')))
  }

  function mark(directory: string | undefined): void {
    if (over === directory) return
    over = directory
    clearTimeout(timer)
    element.classList.toggle('is-target', directory === '')
    for (const row of element.querySelectorAll<HTMLElement>('.is-target')) row.classList.remove('is-target')
    if (!directory) return
    for (const row of element.querySelectorAll<HTMLElement>('[role=treeitem]'))
      row.classList.toggle('is-target', row.dataset.path === directory)
    timer = setTimeout(() => onOpen(directory), OPEN_AFTER_MS)
  }

  function stop(): void {
    mark(undefined)
    dragged = undefined
  }

  element.addEventListener('dragstart', (event) => {
    const node = nodeAt(event.target)
    if (!node || !event.dataTransfer) return
    dragged = node.path
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData(TYPE, node.path)
  })
  element.addEventListener('dragover', (event) => {
    const directory = directoryOf(event.target)
    if (!fits(directory)) return mark(undefined)
    event.preventDefault()
    if (event.dataTransfer) event.dataTransfer.dropEffect = 'move'
    mark(directory)
  })
  element.addEventListener('dragleave', (event) => {
    if (!(event.relatedTarget instanceof Node && element.contains(event.relatedTarget))) mark(undefined)
  })
  element.addEventListener('drop', (event) => {
    const directory = directoryOf(event.target)
    const from = dragged
    if (from === undefined || !fits(directory)) return
    event.preventDefault()
    stop()
    onMove(from, directory)
  })
  element.addEventListener('dragend', stop)
}
