import type { Page } from 'playwright'

/** Waits until the page has opened its first workspace. Until then it is visible but inert. */
export const opened = (page: Page): Promise<void> => page.locator('.playground[aria-busy="false"]').waitFor()
