import { exa } from './exa.js'
import { google } from './google.js'
import type { SearchProvider, SearchProviderName } from './provider.js'
import { serper } from './serper.js'

export const PROVIDERS: Readonly<Record<SearchProviderName, SearchProvider>> = { google, serper, exa }
