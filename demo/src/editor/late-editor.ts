type CodeEditorModule = typeof import('./code-editor.js')

let loading: Promise<CodeEditorModule> | undefined

/** The editor's part of the page, loaded when it is first wanted. Rejects where it cannot be; the next call tries again. */
export function loadCodeEditor(): Promise<CodeEditorModule> {
  loading ??= import('./code-editor.js').catch((error: unknown) => {
    loading = undefined
    throw error
  })
  return loading
}
