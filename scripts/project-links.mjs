// The links of the playground, from package.json. Empty if the package names no repository and no homepage.
import { readFileSync } from 'node:fs'

const { repository, homepage } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
const named = typeof repository === 'string' ? repository : repository?.url
const source = named
  ?.replace(/^git\+/, '')
  .replace(/\.git$/, '')
  .replace(/^github:/, 'https://github.com/')

/** Label -> address. @type {Readonly<Record<string, string>>} */
export const PROJECT_LINKS = {
  ...((homepage || source) && { Docs: homepage ?? `${source}#readme` }),
  ...(source && { Source: source }),
}
