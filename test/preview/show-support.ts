import { createWorkspace, type Workspace } from 'toolport'
import { createMemoryFs } from 'toolport/adapters/memory'
import { type CreatePreviewOptions, createPreview, type Preview, type PreviewEvent } from 'toolport/preview'

const opened: { preview: Preview; container: HTMLElement }[] = []

/** Closes all shown previews. Call it after each test. */
export function closeShown(): void {
  for (const { preview, container } of opened.splice(0)) {
    preview.dispose()
    container.remove()
  }
}

export interface Shown {
  readonly preview: Preview
  readonly workspace: Workspace
  readonly events: () => readonly PreviewEvent[]
  /** Waits for the first event of a type for which `isIt` returns true. */
  readonly seen: <Type extends PreviewEvent['type']>(
    type: Type,
    isIt?: (event: PreviewEvent & { type: Type }) => boolean,
  ) => Promise<PreviewEvent & { type: Type }>
}

export async function show(files: Record<string, string | Uint8Array>, options: Partial<CreatePreviewOptions> = {}): Promise<Shown> {
  const workspace = createWorkspace({ fs: createMemoryFs({ files }) })
  const container = document.createElement('div')
  container.style.cssText = 'width:400px;height:300px'
  document.body.append(container)
  // On a busy machine, a page that loads may not answer pings for a long time.
  const preview = await createPreview({ workspace, container, hangMs: 60_000, ...options })
  opened.push({ preview, container })
  const all: PreviewEvent[] = []
  all.push(...preview.read({ limit: 1000 }).events)
  const waiting = new Set<() => void>()
  preview.onEvent((event) => {
    all.push(event)
    for (const wake of waiting) wake()
  })
  const seen: Shown['seen'] = (type, isIt = () => true) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`No event "${type}": ${JSON.stringify(all.slice(-20), null, 1)}`)), 30_000)
      const look = (): void => {
        const found = all.find((event) => event.type === type && isIt(event as never))
        if (!found) return
        waiting.delete(look)
        clearTimeout(timer)
        resolve(found as never)
      }
      waiting.add(look)
      look()
    })
  return { preview, workspace, events: () => all, seen }
}

export const logged = (text: string) => (event: PreviewEvent & { type: 'console' }) => event.text.includes(text)
