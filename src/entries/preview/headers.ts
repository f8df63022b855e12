/** Sources that the content security policy of a preview allows beyond the workspace. */
export interface PreviewGrants {
  /** Origins that the page may fetch, as in a CSP: `https://api.example.com`. Default none. */
  readonly connect?: readonly string[]
  /** Origins of scripts, styles, images, fonts and media. Default none. */
  readonly resources?: readonly string[]
}

const SOURCE = /^(?:https?|wss?):\/\/(?:\*\.)?[a-z0-9.-]+(?::(?:\d+|\*))?(?:\/[^\s;,'"]*)?$|^(?:https|wss):$/i

/** @throws {TypeError} for a source that could add another directive */
export function checkGrants({ connect = [], resources = [] }: PreviewGrants): void {
  const odd = [...connect, ...resources].find((source) => typeof source !== 'string' || !SOURCE.test(source))
  if (odd !== undefined) throw new TypeError(`Cannot grant ${JSON.stringify(odd)}: write an origin such as "https://api.example.com"`)
}

/** Returns the content security policy of a page. `self`: the source of the page's own files, `'self'`; empty if all files are inlined. */
export function contentSecurityPolicy({ connect = [], resources = [] }: PreviewGrants, self: string): string {
  const local = [self, 'data:', 'blob:', ...resources].filter(Boolean).join(' ')
  return [
    "default-src 'none'",
    `script-src ${local} 'unsafe-inline' 'unsafe-eval'`,
    `style-src ${local} 'unsafe-inline'`,
    `img-src ${local}`,
    `font-src ${local}`,
    `media-src ${local}`,
    `connect-src ${[local, ...connect].join(' ')}`,
    `worker-src ${local}`,
    `manifest-src ${local}`,
    `frame-src ${local}`,
    `form-action ${self || "'none'"}`,
    "object-src 'none'",
  ].join('; ')
}
