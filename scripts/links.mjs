// Fails on a broken relative link or anchor in README.md, CONTRIBUTING.md or docs/*.md, and on a page that no other page links to.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'

const pages = [
  'README.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]
/** @type {Map<string, string>} page -> its text without fenced blocks */
const texts = new Map(pages.map((page) => [page, readFileSync(page, 'utf8').replace(/^```[\s\S]*?^```/gm, '')]))
const linked = new Set(['README.md', 'CONTRIBUTING.md'])
let broken = 0

for (const [page, text] of texts) {
  for (const [, link = ''] of text.replace(/`[^`\n]*`/g, '').matchAll(/\]\(([^)\s]+)\)/g)) {
    if (/^[a-z]+:/.test(link)) continue
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : posix.normalize(posix.join(posix.dirname(page), path))
    if (target !== page) linked.add(target)
    if (!existsSync(target)) problem(`${page} links to ${link}, which does not exist`)
    else if (anchor !== undefined && !anchors(target).includes(anchor)) problem(`${page} links to ${link}: ${target} has no such heading`)
  }
}
for (const page of pages) if (!linked.has(page)) problem(`No page links to ${page}`)
process.exitCode = broken > 0 ? 1 : 0

/** The anchors of a page's headings, as GitHub generates them. @param {string} target */
function anchors(target) {
  /** @type {Map<string, number>} */
  const seen = new Map()
  return [...(texts.get(target) ?? '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const slug = words.replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '').replaceAll(' ', '-')
    const count = seen.get(slug) ?? 0
    seen.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${count}`
  })
}

/** @param {string} message */
function problem(message) {
  broken += 1
  console.error(message)
}
