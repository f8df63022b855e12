export const IS_MAC = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** The shortcuts as shown to users and as given to assistive technology. */
export const SEARCH_KEYS = { shown: IS_MAC ? '⌘ ⇧ F' : 'Ctrl Shift F', aria: IS_MAC ? 'Meta+Shift+F' : 'Control+Shift+F' } as const
export const FILE_KEYS = { shown: IS_MAC ? '⌘ P' : 'Ctrl P', aria: IS_MAC ? 'Meta+P' : 'Control+P' } as const
