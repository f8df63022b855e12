import type { Page } from 'playwright'

/** The page has its first workspace, and may be used: until then it is shown, and inert. */
export const opened = (page: Page): Promise<void> => page.locator('.playground[aria-busy="false"]').waitFor()
