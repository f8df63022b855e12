type CodeEditorModule = typeof import('./code-editor.js')

let loading: Promise<CodeEditorModule> | undefined

/** Loads the editor on first use. Rejects if loading fails; the next call retries. */
export function loadCodeEditor(): Promise<CodeEditorModule> {
  loading ??= import('./code-editor.js').catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
