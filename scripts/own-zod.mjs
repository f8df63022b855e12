// AI SDK, which loads when a conversation begins, gets a zod of its own in the built playground. A module is in one chunk with all that
// anybody uses of it: sharing zod would put what only AI SDK uses of it into what the page loads first.

const MARK = '?ai-sdk'
const FOR = /\/node_modules\/(?:ai|@ai-sdk\/[^/]+)\//
const ZOD = /\/node_modules\/zod\//

/** @returns {import('vite').Plugin} */
export function ownZod() {
  return {
    name: 'own-zod',
    apply: 'build',
    enforce: 'pre',
    async resolveId(source, importer, options) {
      if (!importer || !(importer.endsWith(MARK) || FOR.test(importer))) return null
      const resolved = await this.resolve(source, importer.replace(MARK, ''), { ...options, skipSelf: true })
      return resolved && ZOD.test(resolved.id) ? { id: `${resolved.id}${MARK}`, moduleSideEffects: false } : null
    },
  }
}
