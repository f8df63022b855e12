// The page that the playground shows apps in: a document of its own, because the policy of the playground stops inline scripts. Its script is
// in it: a frame without an origin cannot load one from a server that isolates its pages.
import { build } from 'esbuild'

const NAME = 'preview-frame.html'

/**
 * Adds the page to Vite's servers and builds.
 *
 * @param {string} worker path of the source of `toolport/preview/worker`
 * @returns {import('vite').Plugin}
 */
export function previewFrame(worker) {
  const page = async () => {
    const { outputFiles } = await build({
      entryPoints: [worker],
      bundle: true,
      write: false,
      minify: true,
      format: 'iife',
      target: 'es2022',
    })
    return `<!doctype html>\n<meta charset="utf-8">\n<title>Preview</title>\n<script>${outputFiles[0]?.text.trim()}</script>\n`
  }
  return {
    name: 'preview-frame',
    configureServer(server) {
      server.middlewares.use((request, response, next) => {
        if (request.url?.split('?')[0] !== `/${NAME}`) return next()
        page().then((html) => response.setHeader('content-type', 'text/html').end(html), next)
      })
    },
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: NAME, source: await page() })
    },
  }
}
