// Gives AI SDK, which loads when a conversation begins, its own copy of zod in the built playground. A bundler puts a module into one chunk
// with everything that any importer uses of it. A shared zod would therefore add the parts that only AI SDK uses to the first load.

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
