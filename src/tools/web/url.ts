/** Declared here, because `URL` is standard in every runtime but not in the library types. */
declare const URL: {
  new (
    url: string,
  ): {
    readonly href: string
    readonly protocol: string
    readonly hostname: string
    readonly username: string
    readonly password: string
    readonly search: string
    readonly hash: string
  }
  canParse(url: string): boolean
}

export type ParsedUrl = InstanceType<typeof URL>

/** Parses an absolute web URL. Undefined for any other text: other schemes (`javascript:`, `data:`, `file:`) must not reach a reader. */
export function parseWebUrl(text: string): ParsedUrl | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined
}
