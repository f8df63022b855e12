import { type Browser, chromium } from 'playwright'
import { findChromium } from '../../scripts/chromium.mjs'

/** A headless Chromium of its own. */
export const launch = async (): Promise<Browser> => chromium.launch({ executablePath: await findChromium(), args: ['--no-sandbox'] })
