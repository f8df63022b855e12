import type { ToolError } from 'toolport'
import { h } from '../dom.js'
import { visible, visibleName } from '../visible.js'
import { around, hunkAt, renderExcerpt } from './excerpt.js'
import type { Preview } from './rehearse.js'

export interface FailureOptions {
  readonly relative: (path: string) => string
  readonly onOpenPath: (path: string, line?: number) => void
}

const MOST_PLACES = 20

/** Explains why a patch cannot be applied, with its failing hunk and the nearest lines in the file. */
export function renderFailure(preview: Preview, failed: ToolError, options: FailureOptions): HTMLElement[] {
  const { output, error } = failed
  const { path, line, hunk } = readPlace(output)
  const [words = '', more = ''] = split(error)
  const hint =
    preview.byStandard && output.code === 'ambiguous_match' ? `${preview.preset} itself takes the first of these places.` : output.hint
  return [
    h(
      'div',
      { class: 'failure' },
      h('p', { class: 'failure-message' }, ...visible(words)),
      more ? h('p', {}, ...visible(more)) : null,
      hint ? h('p', {}, hint) : null,
      keepsEarlier(preview, output.code) &&
        h('p', {}, 'The patch would be applied one file after another: those before this one would be changed all the same.'),
      h('p', { class: 'failure-code' }, h('code', {}, output.code)),
    ),
    ...(line === undefined
      ? []
      : part(
          hunk === undefined ? 'Where the patch breaks off' : `Hunk ${hunk}${path === undefined ? '' : ` of ${options.relative(path)}`}`,
          excerpt(preview, line, hunk),
        )),
    ...(path === undefined ? [] : [...nearest(output, path, options), ...candidates(output, path, options)]),
  ]
}

/** Whether files before the failure would stay changed. Format and paths of a patch are validated before any change. */
function keepsEarlier({ inSteps, byStandard }: Preview, code: string): boolean {
  if (code === 'ambiguous_match') return inSteps && !byStandard
  return inSteps && (code === 'no_match' || /^E[A-Z]+$/.test(code))
}

/** Splits an error into the problem and the nearest match. The texts after that are shown separately. */
function split(error: string): string[] {
  const line = error.split('\n')[0] ?? ''
  return line.replace(/ The file has:$/, '').split(/(?<=\.) (?=Lines? \d+)/, 2)
}

function readPlace(output: Readonly<Record<string, unknown>>): { path?: string; line?: number; hunk?: number } {
  const { path, line, hunk } = output
  return {
    ...(typeof path === 'string' && { path }),
    ...(typeof line === 'number' && { line }),
    ...(typeof hunk === 'number' && { hunk }),
  }
}

function excerpt({ patch }: Preview, line: number, hunk: number | undefined): HTMLElement {
  return hunk === undefined
    ? renderExcerpt(around(patch, line), 'Lines of the patch', line)
    : renderExcerpt(hunkAt(patch, line), 'The hunk that does not fit')
}

function part(heading: string | HTMLElement, ...content: HTMLElement[]): HTMLElement[] {
  return [h('h4', { class: 'patch-part' }, ...(typeof heading === 'string' ? visibleName(heading) : [heading])), ...content]
}

/** The lines of the file that are most similar to the missing ones. */
function nearest({ nearest }: Readonly<Record<string, unknown>>, path: string, options: FailureOptions): HTMLElement[] {
  if (typeof nearest !== 'object' || nearest === null || !('line' in nearest) || !('text' in nearest)) return []
  const { line, text } = nearest
  if (typeof line !== 'number' || typeof text !== 'string') return []
  const lines = text.split('\n').map((one, index) => ({ number: line + index, text: ` ${one}` }))
  const link = place(path, line, `${options.relative(path)}, line ${line}`, options)
  return part(h('span', {}, 'What comes nearest: ', link), renderExcerpt(lines, 'What comes nearest'))
}

function candidates({ candidates }: Readonly<Record<string, unknown>>, path: string, options: FailureOptions): HTMLElement[] {
  if (!Array.isArray(candidates)) return []
  const lines = candidates.filter((one) => typeof one === 'number')
  const links = lines.slice(0, MOST_PLACES).map((line) => place(path, line, `line ${line}`, options))
  const more = lines.length > MOST_PLACES ? [h('span', { class: 'note' }, `and ${lines.length - MOST_PLACES} more`)] : []
  return part(`Where it fits in ${options.relative(path)}`, h('p', { class: 'patch-places' }, ...links, ...more))
}

function place(path: string, line: number, text: string, { onOpenPath }: FailureOptions): HTMLElement {
  return h('button', { type: 'button', class: 'json-path', on: { click: () => onOpenPath(path, line) } }, ...visibleName(text))
}
