interface Site {
  /** URL at which the site begins. */
  readonly siteUrl: string
  readonly inlined: boolean
  readonly reload: () => void
}

/**
 * Returns a function that loads changed stylesheets again. The preview inserts the source text of `clientStyles` into the page, so it must
 * not use anything else of this file.
 */
export function clientStyles({ siteUrl, inlined, reload }: Site): (paths: readonly string[]) => void {
  const { URL } = window
  const sitePath = (url: string): string => {
    try {
      return url.startsWith(siteUrl) ? decodeURIComponent(new URL(url).pathname.slice(new URL(siteUrl).pathname.length)) : ''
    } catch {
      return ''
    }
  }
  /** A file of the site in a stylesheet, with the link that can load it again. */
  type StyleFile = { readonly path: string; readonly link: HTMLLinkElement | undefined }
  const filesOfSheet = (sheet: CSSStyleSheet | null, url: string, link?: HTMLLinkElement): StyleFile[] => {
    let rules: CSSRule[] = []
    try {
      rules = [...(sheet?.cssRules ?? [])]
    } catch {
      // A stylesheet of another origin cannot be read.
    }
    const imports = rules.filter((rule) => rule instanceof CSSImportRule)
    // In an inlined page, an import is part of the link's `data:` URL, and the fragment contains the import's own URL. Without inlining,
    // imports have no link, because the browser may serve them from its cache.
    const imported = imports.flatMap(({ styleSheet, href }) =>
      inlined ? filesOfSheet(styleSheet, href.split('#')[1] ?? '', link) : filesOfSheet(styleSheet, styleSheet?.href ?? ''),
    )
    return [{ path: sitePath(url), link }, ...imported]
  }
  /** The link with the changed stylesheet for each replaced link, while the stylesheet loads. */
  const replacements = new WeakMap<HTMLLinkElement, HTMLLinkElement>()
  const loading = new WeakSet<HTMLLinkElement>()
  const styleUrl = (link: HTMLLinkElement): string => link.dataset.previewUrl ?? link.href
  /** Returns the files of all stylesheets in a document or shadow root, including nested open shadow roots. */
  const styleFiles = (root: Document | ShadowRoot): StyleFile[] => [
    ...[...root.querySelectorAll<HTMLLinkElement>('link[rel~=stylesheet]')]
      .filter((link) => !loading.has(link))
      .flatMap((link) => filesOfSheet(link.sheet, styleUrl(link), link)),
    ...[...root.querySelectorAll('style')].flatMap(({ sheet }) => filesOfSheet(sheet, '')),
    ...[...root.querySelectorAll('*')].flatMap(({ shadowRoot }) => (shadowRoot ? styleFiles(shadowRoot) : [])),
  ]
  /** Reloads changed stylesheets if all of them belong to links, otherwise the whole page. */
  const refreshStyles = (paths: readonly string[]): void => {
    const files = styleFiles(document).filter(({ path }) => paths.includes(path))
    if (files.some(({ link }) => !link) || !paths.every((path) => files.some((file) => file.path === path))) {
      reload()
      return
    }
    for (const link of new Set(files.flatMap((file) => file.link ?? []))) {
      const url = styleUrl(link)
      if (inlined) {
        link.setAttribute('href', url)
        continue
      }
      const fresh = new URL(url)
      fresh.searchParams.set('t', String(performance.now()))
      const next = link.cloneNode() as HTMLLinkElement
      next.href = fresh.href
      replacements.get(link)?.remove()
      replacements.set(link, next)
      loading.add(next)
      // Keep the old stylesheet until the new one has loaded, so that the page does not flash.
      for (const type of ['load', 'error']) {
        next.addEventListener(type, () => {
          if (replacements.get(link) !== next) return
          loading.delete(next)
          link.remove()
        })
      }
      link.after(next)
    }
  }
  return refreshStyles
}
