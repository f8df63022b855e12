/** Which schemas there are: the tools' names; `read_background` is that of `read_background_bash` and `read_background_js`. */
export type OutputName = FileOutput | SearchOutput | RunOutput | OtherOutput

export type FileOutput = 'read_file' | 'write_file' | 'edit_file' | 'apply_patch' | 'move_file' | 'delete_file'
export type SearchOutput = 'list_files' | 'glob' | 'grep'
export type RunOutput =
  | 'bash'
  | 'run_js'
  | 'run_js_module'
  | 'start_background_js'
  | 'read_background'
  | 'write_background'
  | 'stop_background'
  | 'list_background'
  | 'resize_background_bash'
export type OtherOutput =
  | 'install_js_packages'
  | 'web_search'
  | 'list_checkpoints'
  | 'diff_checkpoint'
  | 'restore_checkpoint'
  | 'create_persistent_tool'
