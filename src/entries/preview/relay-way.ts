import { isRecord } from '../../ops/is-record.js'
import { noticePage } from './inline-page.js'
import { makeFrame, noticeFrame, type Way, type WayEvents } from './way.js'

/**
 * Shows pages through a relay page on another origin, whose service worker answers requests below its own path. Resolves to the reason if
 * the service worker cannot be registered or does not answer.
 */
export async function createRelayWay(
  container: HTMLElement,
  relay: URL,
  id: string,
  timeoutMs: number,
  events: WayEvents,
): Promise<Way | string> {
  const address = new URL(relay)
  address.searchParams.set('preview', id)
  const site = new URL(`./p/${id}/`, relay)
  let frame = makeFrame(true)
  let host: MessagePort | undefined
  let loads = 0
  let opened = 0
  let connecting: Promise<MessagePort | string> | undefined

  /** Loads the relay page in a new frame. */
  function connect(): Promise<MessagePort | string> {
    const next = makeFrame(true)
    loads = 0
    host?.close()
    host = undefined
    return new Promise((resolve) => {
      const timer = setTimeout(() => done(`"${relay.href}" did not answer`), timeoutMs)
      function hear(event: MessageEvent): void {
        if (event.source !== next.contentWindow || event.origin !== relay.origin || !isRecord(event.data)) return
        const [port] = event.ports
        if (event.data.toolport === 'relay' && port) done(port)
        if (event.data.toolport === 'no-relay') done(String(event.data.reason).slice(0, 1000))
      }
      function done(result: MessagePort | string): void {
        clearTimeout(timer)
        removeEventListener('message', hear)
        resolve(result)
      }
      addEventListener('message', hear)
      // Watch for further loads, because a shown page can navigate the relay page away.
      next.addEventListener('load', () => {
        if (next === frame && ++loads > 1) events.onLeft()
      })
      next.src = address.href
      if (frame.isConnected) frame.replaceWith(next)
      else container.append(next)
      frame = next
    })
  }

  function listen(port: MessagePort): MessagePort {
    host = port
    port.onmessage = ({ data, ports: [client] }) => {
      if (port !== host || !isRecord(data)) return
      if (data.type === 'hello' && client) events.onClient(client)
      else if (data.type === 'request' && client) events.onRequest(data.request, client)
      else if (data.type === 'left') events.onLeft()
    }
    return port
  }

  const first = await connect()
  if (typeof first === 'string') {
    frame.remove()
    return first
  }
  listen(first)
  return {
    kind: 'service-worker',
    base: site.href,
    handler: {
      base: site.pathname,
      client: true,
      // A cross-origin isolated page can only embed pages that are isolated too.
      ...(crossOriginIsolated && {
        headers: { 'cross-origin-embedder-policy': 'require-corp', 'cross-origin-resource-policy': 'cross-origin' },
      }),
    },
    get frame() {
      return frame
    },
    async open(url) {
      const mine = ++opened
      if (!host) {
        connecting ??= connect().finally(() => {
          connecting = undefined
        })
        const again = await connecting
        if (typeof again === 'string') throw new Error(`Cannot open the preview: ${again}. Try again.`)
        if (!host) listen(again)
      }
      // Another page may have been opened meanwhile.
      if (mine === opened) host?.postMessage({ url })
    },
    leave() {
      host?.close()
      host = undefined
    },
    // Nothing to do: the relay page reports when its frame shows another site.
    goes: () => {},
    stop(notice) {
      host?.close()
      host = undefined
      const next = noticeFrame(noticePage(notice))
      frame.replaceWith(next)
      frame = next
    },
    dispose() {
      host?.close()
      frame.remove()
    },
  }
}
