import { reply } from '../../core/define-tool.js'
import { InputError } from '../../errors/index.js'
import { headTail } from '../../ops/truncate.js'
import type { BuildMessage, BuildResult, Bundler } from '../../types/preview.js'
import type { ToolContext, ToolReply } from '../../types/tool.js'
import { joinPath } from '../../workspace/paths.js'
import { writeFiles } from '../files/write-files.js'
import { renderMessages } from './render.js'

interface BundleOutput {
  readonly ok: boolean
  /** Virtual path. */
  readonly folder: string
  readonly files: readonly { readonly path: string; readonly bytes: number }[]
  readonly errors: readonly BuildMessage[]
  readonly warnings: readonly BuildMessage[]
}

const MOST_LISTED = 100

/** The body of `bundle`. @throws {InputError} for a folder whose files are part of the app; errors of the workspace */
export async function runBundle({ folder }: { readonly folder: string }, context: ToolContext): Promise<ToolReply<BundleOutput>> {
  const { workspace, signal, limits } = context
  const at = workspace.resolve(folder)
  // The tool requires the port, so the runtime does not run the tool without it.
  const { ok, errors, warnings, outputs, inputs } = await (context.bundler as Bundler).build({ signal, assets: true })
  const files = outputs.map(({ path, bytes }) => ({ path: joinPath(at, path), bytes }))
  if (ok) {
    refuseOwn(folder, files, inputs)
    signal.throwIfAborted()
    await writeFiles(files, context)
  }
  const output = { ok, folder: at, files: files.map(({ path, bytes }) => ({ path, bytes: bytes.length })), errors, warnings }
  const text = headTail(render(output), limits.outputBytes, (bytes) => `\n[... ${bytes} bytes left out ...]\n`).text
  return reply(output, [{ type: 'text', text }])
}

function refuseOwn(folder: string, files: readonly { readonly path: string }[], inputs: BuildResult['inputs']): void {
  const own = files.find(({ path }) => inputs.includes(path))
  if (!own) return
  const message = `the build would overwrite its source file "${own.path}": choose another folder, such as "dist"`
  throw new InputError('invalid_input', `Cannot write the build to "${folder}": ${message}`, { issues: [{ path: 'folder', message }] })
}

function render({ ok, folder, files, errors, warnings }: BundleOutput): string {
  const more = files.length - MOST_LISTED
  return [
    ok ? `Wrote ${files.length} ${files.length === 1 ? 'file' : 'files'} to "${folder}"` : 'The build failed. Nothing was written.',
    ...renderMessages('error', errors),
    ...renderMessages('warning', warnings),
    ...files.slice(0, MOST_LISTED).map(({ path, bytes }) => `${path} (${bytes} bytes)`),
    ...(more > 0 ? [`[${more} more]`] : []),
  ].join('\n')
}
