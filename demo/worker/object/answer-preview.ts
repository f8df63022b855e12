import type { ToolRuntime } from 'toolport'
import { createPreviewHandler } from 'toolport/preview'
import { unauthorized } from '../http/errors.js'
import { previewKey } from '../http/token.js'

interface Shown {
  readonly runtime: ToolRuntime
  readonly digest: ArrayBuffer | undefined
  /** Origins of pages that may embed the preview, separated by commas. */
  readonly origins: string | undefined
}

/**
 * Returns the URL of the preview or, with its key, a page or file. Sandboxed pages have an opaque origin: no storage, no access to other
 * workspaces.
 */
export async function answerPreview(
  request: Request,
  { id, key }: { readonly id: string; readonly key?: string },
  { runtime, digest, origins }: Shown,
): Promise<Response> {
  if (!digest) throw unauthorized()
  const base = `/workspaces/${id}/preview/${await previewKey(digest)}/`
  if (key === undefined) return Response.json({ url: new URL(base, request.url).href })
  const response = await createPreviewHandler({ workspace: runtime.workspace, base, sandbox: true })(request)
  const embedders = (origins ?? '').split(',').map((origin) => origin.trim())
  response.headers.append('content-security-policy', `frame-ancestors ${embedders.filter(Boolean).join(' ') || "'none'"}`)
  return response
}
