import { backgroundProgram, installExamples, moduleExamples, programExamples } from './javascript.js'
import { BACKGROUND, jobExamples, jsJobExamples } from './jobs.js'
import { type ExampleTable, firstFolder, type Known, likelyExtension, longestText, smallFile } from './known.js'
import { patchExamples } from './patches.js'
import { searchExamples } from './web.js'

export function loafExamples(known: Known): ExampleTable {
  const { root } = known
  const small = smallFile(known)
  const large = longestText(known)
  const folder = firstFolder(known)
  const extension = likelyExtension(known)
  return {
    read_file: [
      small ? { label: 'Whole file', input: { file_path: small } } : undefined,
      large ? { label: 'From line 11 on', input: { file_path: large, offset: 10, limit: 20 } } : undefined,
      large
        ? {
            label: 'Block around a line',
            input: { file_path: large, mode: 'indentation', indentation: { anchor_line: 20, max_levels: 1, include_header: true } },
          }
        : undefined,
      small ? { label: 'A negative offset', input: { file_path: small, offset: -1 } } : undefined,
    ],
    list_dir: [
      { label: 'The root', input: { dir_path: root } },
      folder ? { label: `Three levels of ${folder}`, input: { dir_path: `${root}/${folder}`, depth: 3, limit: 50 } } : undefined,
      { label: 'A relative path', input: { dir_path: folder ?? 'src' } },
    ],
    grep_files: [
      { label: 'Files that export functions', input: { pattern: '^export (async )?function', include: `*.${extension}` } },
      { label: 'The first five', input: { pattern: 'error', limit: 5 } },
      { label: 'Nothing to find', input: { pattern: 'no such text anywhere' } },
    ],
    apply_patch: patchExamples(known).map(({ label, patch }) => ({ label, input: { input: patch } })),
    search_web: [
      ...searchExamples('num_results'),
      { label: 'With the text of each page', input: { query: 'what a Durable Object is', num_results: 2, include_text: true } },
    ],
    bash: [
      { label: 'Longest files', input: { command: `find . -name '*.${extension}' | xargs wc -l | sort -rn | head -n 5` } },
      {
        label: 'Set directory and variable',
        input: { command: 'pwd; echo "$GREETING"', cwd: folder ?? '.', env: { GREETING: 'set until the session is reset' } },
      },
      { label: 'They last', input: { command: 'pwd; echo "$GREETING"' } },
      { label: 'Begin anew', input: { command: 'pwd; echo "[$GREETING]"', reset_session: true } },
      { label: 'In the background', input: BACKGROUND },
    ],
    ...jobExamples(known),
    install_js_packages: installExamples,
    run_js: [
      ...programExamples({ timeout_seconds: 1 }),
      { label: 'Keep the program', input: { code: "console.log('kept')", keep_script: true } },
    ],
    run_js_module: moduleExamples(known),
    start_background_js: [backgroundProgram],
    ...jsJobExamples(known, false),
  }
}
