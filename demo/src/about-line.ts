import { h } from './dom.js'

/** Links from package.json; the build injects them. */
declare const __TOOLPORT_LINKS__: Readonly<Record<string, string>>

/** What the project is, how it is installed, and where to read more. */
export function aboutLine(className = 'tagline'): HTMLElement {
  const links = Object.entries(__TOOLPORT_LINKS__).map(([label, href]) => h('a', { href, target: '_blank', rel: 'noreferrer' }, label))
  return h(
    'p',
    { class: className },
    h('span', {}, 'Give any AI agent files, a shell and JavaScript, in your browser. '),
    h('span', { class: 'tagline-more' }, h('code', {}, 'npm install toolport'), ...links),
  )
}
